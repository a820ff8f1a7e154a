/**
 * Draws at most once a frame, and leaves time between frames that took long: a text that streams is drawn as often as
 * the machine can without holding up typing.
 */
export class Drawing {
  readonly #draw: () => void;
  #waiting = false;
  #notBefore = 0;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  request(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    const pause = this.#notBefore - performance.now();
    if (pause > 4) setTimeout(() => this.#onFrame(), pause);
    else this.#onFrame();
  }

  #onFrame(): void {
    // A page that is not seen gets no frames, but must not fall behind.
    if (document.hidden) setTimeout(() => this.#run(), 50);
    else requestAnimationFrame(() => this.#run());
  }

  #run(): void {
    this.#waiting = false;
    const begin = performance.now();
    this.#draw();
    const took = performance.now() - begin;
    this.#notBefore = took > 8 ? begin + took * 4 : 0;
  }
}
