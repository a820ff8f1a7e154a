import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ApprovalKind, ApprovalMemory } from '../engine/approvals';
import type { PlainRule } from '../engine/sheets';

const approvalsKey = 'retrace.approvals';
const plainKey = 'retrace.plainMoves';
const approvalsSchema = v.fallback(v.array(v.string()), []);
const plainSchema = v.fallback(v.boolean(), false);

/** What was allowed for good in this workspace. Kept by VS Code, so that no file of the workspace can grant anything. */
export function approvalMemory(memento: vscode.Memento): ApprovalMemory {
  const entry = (kind: ApprovalKind, detail: string): string => JSON.stringify([kind, detail]);
  const entries = (): string[] => v.parse(approvalsSchema, memento.get(approvalsKey));
  return {
    has: (kind, detail) => entries().includes(entry(kind, detail)),
    add: async (kind, detail) => {
      const added = new Set(entries()).add(entry(kind, detail));
      await memento.update(approvalsKey, [...added]);
    },
  };
}

/** Whether plain moves were said to need no sheet: one answer for all windows. */
export function plainRule(memento: vscode.Memento): PlainRule {
  return {
    allowed: () => v.parse(plainSchema, memento.get(plainKey)),
    allow: async () => memento.update(plainKey, true),
  };
}
