// Mocha's browser build, as scripts/build.mts hands it out.
declare module 'mocha/mocha.js' {
  export default Mocha;
}
