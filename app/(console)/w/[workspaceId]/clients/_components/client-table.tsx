"use client";

import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { ActionsTh, Table, Td } from "@/components/ui/table";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { foreign } from "@/components/ui/foreign";

export type ClientRow = {
  grantId: string;
  name: string;
  /** Verified host of the client; null if it registered itself. */
  verifiedHost: string | null;
  redirectTarget: string;
  /** The client's permissions in words. */
  scopes: readonly string[];
  person: string;
  connectedAt: string;
  lastUsedAt: string | null;
};

type Revoke = Action<{ workspaceId: string; grantId: string }, unknown>;
type RevokeAll = Action<{ workspaceId: string; isAll: boolean }, unknown>;

export function RevokeAllClients(props: { workspaceId: string; isAll: boolean; revokeAll: RevokeAll }) {
  const { workspaceId, isAll } = props;
  return (
    <Confirm
      trigger={<Button variant="danger">Revoke all</Button>}
      title={isAll ? "Revoke every client of this workspace?" : "Revoke all of your clients?"}
      confirmLabel="Revoke all"
      action={props.revokeAll}
      input={{ workspaceId, isAll }}
      done="No client is connected any more"
    >
      Their access ends at once. Each person has to connect them again.
    </Confirm>
  );
}

type TableProps = { workspaceId: string; clients: readonly ClientRow[]; now: string; revoke: Revoke };

export function ClientTable({ workspaceId, clients, now, revoke }: TableProps) {
  return (
    <Table
      label="Connected clients"
      columns={["Client", "May", "Connected by", "Connected", "Last used", <ActionsTh />]}
    >
      {clients.map((client) => (
        <tr key={client.grantId}>
          <Td className="py-1.5">
            <span className="font-medium">{client.name}</span>
            <span className="block text-xs text-fg-muted">
              {client.verifiedHost === null ? "unverified" : `vouched for by ${client.verifiedHost}`} · answers at{" "}
              <span className="font-mono">{client.redirectTarget}</span>
            </span>
          </Td>
          <Td className="py-1.5 whitespace-normal">{client.scopes.join(", ")}</Td>
          <Td>{client.person}</Td>
          <TimeTd at={client.connectedAt} now={now} />
          <TimeTd at={client.lastUsedAt} now={now} />
          <Td className="text-right">
            <Confirm
              trigger={
                <Button
                  size="sm"
                  variant="danger"
                  aria-label={`Revoke ${foreign(client.name)} of ${foreign(client.person)}`}
                >
                  Revoke
                </Button>
              }
              title={`Revoke ${foreign(client.name)}?`}
              confirmLabel="Revoke"
              action={revoke}
              input={{ workspaceId, grantId: client.grantId }}
              done="Access ended"
            >
              Its access ends at once. {foreign(client.person)} can connect it again.
            </Confirm>
          </Td>
        </tr>
      ))}
    </Table>
  );
}
