import { render } from 'lit';
import type { HostFrame } from '../src/protocol/messages';
import { createAnnouncer } from './announce';
import { handleClicks, handleFindKey, reportErrors, reportFocus, saveOnHide } from './clicks';
import { Drawing } from './draw';
import { handleDrops } from './drop';
import { FocusKeeper } from './focus';
import { Page } from './page';
import { app } from './parts/app';
import { loadSessions } from './parts/sessions';
import { Roving } from './roving';
import { registerToolkit } from './toolkit';

registerToolkit();
createAnnouncer();
const root = document.createElement('div');
root.className = 'root';
document.body.prepend(root);

const drawing = new Drawing(draw);
const page = new Page(() => drawing.request());
const focus = new FocusKeeper(page);
const roving = new Roving(page);

function draw(): void {
  focus.before();
  page.follower.before();
  page.follower.draw(() => render(app(page), root));
  page.readNear();
  placeCaret();
  page.finder.mark();
  roving.drawn();
  focus.after();
}

function placeCaret(): void {
  const { caretWish } = page.composer;
  const field = document.getElementById('composer');
  if (caretWish === undefined || !(field instanceof HTMLTextAreaElement)) return;
  field.setSelectionRange(caretWish, caretWish);
  page.composer.caretWish = undefined;
}

handleClicks(page);
handleFindKey(page);
reportErrors(page);
reportFocus(page);
saveOnHide(page);
handleDrops(page);
window.addEventListener('message', (event: MessageEvent<HostFrame>) => page.receive(event.data));
page.update();
void page.ready().then(() => {
  if (page.overlay?.kind === 'sessions') loadSessions(page);
});
