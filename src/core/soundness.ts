import { ancestors, type Nodes } from './graph';
import type { NodeId } from './ids';
import type { Standing } from './journal';

/** What is wrong with the shape of a session. Everything not named is whole. */
export interface GraphFaults {
  /** Nodes from which the parent links do not lead to the start, in stored order. */
  readonly unreachable: readonly NodeId[];
  /** Nodes named as a parent that are not there. */
  readonly missing: readonly NodeId[];
  /** Nodes that are their own ancestors. */
  readonly circles: readonly NodeId[];
}

type Reach = 'start' | 'missing' | 'circle';

/** Finds what the parent links of a session do not hold together. Each link is followed once. */
export function graphFaults(nodes: Nodes): GraphFaults {
  const reach = new Map<NodeId, Reach>();
  const missing = new Set<NodeId>();
  const circles: NodeId[] = [];
  for (const first of nodes.keys()) {
    const way: NodeId[] = [];
    const onWay = new Set<NodeId>();
    let at: NodeId | null = first;
    let end: Reach | undefined;
    while (end === undefined) {
      if (at === null) end = 'start';
      else if (onWay.has(at)) {
        end = 'circle';
        circles.push(...way.slice(way.indexOf(at)));
      } else if (reach.has(at)) end = reach.get(at);
      else {
        const node = nodes.get(at);
        if (node === undefined) {
          missing.add(at);
          end = 'missing';
        } else {
          way.push(at);
          onWay.add(at);
          at = node.parentId;
        }
      }
    }
    for (const id of way) reach.set(id, end);
  }
  const unreachable = [...nodes.keys()].filter((id) => reach.get(id) !== 'start');
  return { unreachable, missing: [...missing], circles };
}

/** Says whether the parent links of a place lead to the start. */
export function isReachable(nodes: Nodes, id: NodeId | null): boolean {
  return id === null || ancestors(nodes, id)[0]?.parentId === null;
}

/**
 * Returns where a session can stand when its head is gone or cannot be reached: at the whole message stored last in front
 * of what is broken, so that as much of the conversation as possible is shown. The standing itself where it is sound.
 */
export function soundStanding(nodes: Nodes, standing: Standing, faults: GraphFaults): Standing {
  const broken = new Set(faults.unreachable);
  const whole = (id: NodeId): boolean => {
    const node = nodes.get(id);
    return node !== undefined && node.role !== 'files' && !broken.has(id);
  };
  const { head, filesHead, apart } = standing;
  const sound = head === null || whole(head) ? head : nearest(nodes, head, whole);
  const place = filesHead === null || nodes.has(filesHead) ? filesHead : sound;
  if (sound === head && place === filesHead) return standing;
  return { head: sound, filesHead: place, apart };
}

function nearest(nodes: Nodes, head: NodeId, whole: (id: NodeId) => boolean): NodeId | null {
  const stored = [...nodes.keys()];
  const top = ancestors(nodes, head)[0]?.id;
  const at = top === undefined ? stored.length : stored.indexOf(top);
  return stored.slice(0, at).findLast(whole) ?? stored.slice(at).findLast(whole) ?? null;
}
