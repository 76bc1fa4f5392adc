"use client";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { foreign } from "@/components/ui/foreign";

type Input = { workspaceId: string; keyId: string };

export const RevokeManagementKey = (props: { name: string; input: Input; revoke: Action<Input, unknown> }) => (
  <Confirm
    trigger={
      <Button size="sm" variant="ghost" aria-label={`Revoke ${foreign(props.name)}`}>
        Revoke…
      </Button>
    }
    title={`Revoke “${foreign(props.name)}”?`}
    confirmLabel="Revoke key"
    action={props.revoke}
    input={props.input}
    done="The management key is revoked"
  >
    Scripts with it are refused from then on. What it allowed stays. This cannot be undone.
  </Confirm>
);
