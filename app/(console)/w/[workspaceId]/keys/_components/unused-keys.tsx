"use client";

import { Button } from "@/components/ui/button";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import type { KeyRow } from "./key-row";
import { foreign } from "@/components/ui/foreign";

type Props = {
  workspaceId: string;
  keys: readonly KeyRow[];
  canManage: boolean;
  revoke: Action<{ workspaceId: string; keyIds: string[] }, unknown>;
};

/** Lists keys that seem unused, and revokes all of them at once. */
export function UnusedKeys({ workspaceId, keys, canManage, revoke }: Props) {
  const count = keys.length;
  if (count === 0) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-susp-bg px-3 py-2 text-susp">
      <p>{count === 1 ? "One key was" : `${count} keys were`} not used for 30 days. Revoke keys that nobody needs.</p>
      {canManage ? (
        <Confirm
          trigger={<Button size="sm">Revoke unused…</Button>}
          title={count === 1 ? "Revoke the unused key?" : `Revoke ${count} unused keys?`}
          confirmLabel={count === 1 ? "Revoke key" : `Revoke ${count} keys`}
          action={revoke}
          input={{ workspaceId, keyIds: keys.map(({ keyId }) => keyId) }}
          done="Unused keys are revoked"
        >
          <p>
            Requests with them are refused from then on. This cannot be undone. A key that is used before you confirm
            stays.
          </p>
          <ul className="mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto" aria-label="Keys to revoke">
            {keys.map((key) => (
              <li key={key.keyId} className="wrap-anywhere text-fg">
                {foreign(key.name)} <span className="font-mono text-xs text-fg-muted">{key.shown}</span>
              </li>
            ))}
          </ul>
        </Confirm>
      ) : null}
    </div>
  );
}
