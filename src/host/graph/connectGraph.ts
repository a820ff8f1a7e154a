import * as vscode from 'vscode';
import type { GraphFrame } from '../../protocol/graph';
import { GraphController, type GraphServices } from './graphController';
import { GraphPresenter } from './presentGraph';

/** Connects the graph's page to the sessions. */
export function connectGraph(
  services: GraphServices,
  post: (frame: GraphFrame) => void,
): GraphController {
  const presenter = new GraphPresenter({
    counts: services.counts,
    labelOf: (model) => services.models.labelOf(model),
    language: vscode.env.language,
    t: services.t,
  });
  return new GraphController(services, presenter, post);
}
