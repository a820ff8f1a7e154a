import type { HostFrame } from '../../protocol/messages';
import { ChatController } from './chatController';
import { LineCounts } from './lineCounts';
import { Presenter } from './presentSession';
import type { ChatServices } from './services';

export { refusal } from './chatController';

/** Makes what all pages have in common; returns what connects a page. */
export function chatConnector(
  services: ChatServices,
): (post: (frame: HostFrame) => void) => ChatController {
  const presenter = new Presenter({ ...services, counts: new LineCounts(services.blobs) });
  return (post) => new ChatController(services, presenter, post);
}
