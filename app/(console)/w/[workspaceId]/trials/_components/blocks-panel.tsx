import type { Action } from "@/components/ui/action-result";
import { TimeTd } from "@/components/ui/cells";
import { Confirm } from "@/components/ui/confirm";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { ActionsTh, Table, Td, TextTd } from "@/components/ui/table";
import { BlockBuyer } from "./block-buyer";

type Block = { kind: "origin" | "payer"; value: string; reason: string | null; blockedAt: Date };
type Props = {
  blocks: readonly Block[];
  now: Date;
  block: Action<{ buyer: string; reason: string }, unknown>;
  unblock: Action<{ buyer: string }, unknown>;
};

/** Blocked buyers. */
export function BlocksPanel({ blocks, now, block, unblock }: Props) {
  return (
    <Panel id="blocks" title="Blocked buyers" aside={<BlockBuyer buyers={[]} block={block} />} className="mt-4">
      {blocks.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">Nobody is blocked: trials are sold to every origin and payer.</p>
      ) : (
        <Table label="Blocked buyers" columns={["Origin or payer", "Reason", "Blocked", <ActionsTh />]}>
          {blocks.map(({ kind, value, reason, blockedAt }) => (
            <tr key={`${kind} ${value}`}>
              <TextTd className="font-mono text-xs">{value}</TextTd>
              <Td className="max-w-96 whitespace-normal">{reason ?? <span className="text-fg-muted">–</span>}</Td>
              <TimeTd at={blockedAt} now={now} />
              <Td className="text-right">
                <Confirm
                  trigger={
                    <Button size="sm" aria-label={`Unblock ${value}`}>
                      Unblock…
                    </Button>
                  }
                  title="Sell to this buyer again?"
                  confirmLabel="Unblock"
                  isSafe
                  action={unblock}
                  input={{ buyer: value }}
                  done="This buyer can buy again"
                >
                  <span className="font-mono text-xs break-all">{value}</span>
                </Confirm>
              </Td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
