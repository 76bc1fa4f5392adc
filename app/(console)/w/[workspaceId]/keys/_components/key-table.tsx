"use client";
import { Ellipsis } from "lucide-react";
import { Link } from "@/components/ui/link";
import { useRouter } from "next/navigation";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { Refusal } from "@/components/ui/refusal";
import { ActionsTh, Table, Td } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { relativeTime } from "@/components/ui/time-text";
import { useToast } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";
import { type NewSecret, type OverlapChoice, RotateKey } from "./key-dialogs";

export type KeyRow = {
  keyId: string;
  name: string;
  shown: string;
  kind: string;
  createdBy: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  isUnused: boolean;
  state: "active" | "overlap" | "expired" | "revoked";
};

type OfKey = { workspaceId: string; keyId: string };
type Props = {
  workspaceId: string;
  keys: readonly KeyRow[];
  now: string;
  canManage: boolean;
  /** Whether this person may create keys, and so rotate one. */
  canIssue: boolean;
  rotate: Action<OfKey & { overlap: OverlapChoice }, NewSecret>;
  endOverlap: Action<OfKey, void>;
  revoke: Action<OfKey, void>;
};

const WARNING_MS = 7 * 86_400_000;
const STATES = { active: "active", overlap: "being replaced", expired: "expired", revoked: "revoked" } as const;

function Expiry({ row, now }: { row: KeyRow; now: string }) {
  if (row.state === "revoked" && row.revokedAt) {
    return (
      <span className="text-fg-muted">
        revoked <RelativeTime at={row.revokedAt} now={now} />
      </span>
    );
  }
  if (!row.expiresAt) return <span className="text-fg-muted">never</span>;
  const left = new Date(row.expiresAt).getTime() - new Date(now).getTime();
  return <RelativeTime at={row.expiresAt} now={now} className={left > 0 && left < WARNING_MS ? "text-susp" : ""} />;
}

type Ending = { row: KeyRow; verb: "revoke" | "endOverlap" };

function EndKey({ ending, onClose, ...props }: Props & { ending: Ending | undefined; onClose: () => void }) {
  const isRevoking = ending?.verb === "revoke";
  const { run, result, isPending, reset } = useAction(isRevoking ? props.revoke : props.endOverlap);
  const router = useRouter();
  const toast = useToast();
  return (
    <Dialog
      title={isRevoking ? `Revoke “${ending.row.name}”?` : "End the overlap now?"}
      open={ending !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      onClosed={reset}
    >
      <p className="text-fg-muted">
        Requests with <span className="font-mono text-xs">{ending?.row.shown}</span> are refused from this moment on.
        This cannot be undone.
      </p>
      <Refusal result={result} />
      <DialogActions>
        <DialogClose>Cancel</DialogClose>
        <Button
          variant="danger"
          disabled={isPending}
          onClick={() => {
            if (!ending) return;
            run({ workspaceId: props.workspaceId, keyId: ending.row.keyId }, () => {
              onClose();
              toast.show("The key is revoked", "It is refused from now on.");
              router.refresh();
            });
          }}
        >
          {isRevoking ? "Revoke key" : "End overlap"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function KeyTable(props: Props) {
  const { keys, now, canManage, canIssue, workspaceId } = props;
  const [rotating, setRotating] = useState<KeyRow>();
  const [ending, setEnding] = useState<Ending>();
  return (
    <>
      <Table
        label="Keys"
        columns={["Name", "Key", "State", "Created by", "Created", "Last used", "Expires", <ActionsTh />]}
      >
        {keys.map((row) => {
          const isUsable = row.state === "active" || row.state === "overlap";
          return (
            <tr key={row.keyId} className={isUsable ? "" : "text-fg-muted"}>
              <Td className="max-w-56 truncate font-medium" title={row.name}>
                <Link
                  data-row-link
                  href={`/w/${workspaceId}/keys/${row.keyId}`}
                  className="underline decoration-border-strong underline-offset-3 hover:decoration-current"
                >
                  {row.name}
                </Link>
              </Td>
              <Td className="font-mono text-xs">{row.shown}</Td>
              <Td>
                <Chip isActive={row.state === "active"}>{STATES[row.state]}</Chip>
              </Td>
              <Td>{row.createdBy}</Td>
              <Td>
                <RelativeTime at={row.createdAt} now={now} />
              </Td>
              <Td>
                {row.lastUsedAt ? (
                  <RelativeTime at={row.lastUsedAt} now={now} />
                ) : (
                  <span className="text-fg-muted">never</span>
                )}
                {row.isUnused ? <span className="block text-xs text-susp">unused for 30 days</span> : null}
              </Td>
              <Td>
                <Expiry row={row} now={now} />
              </Td>
              <Td className="text-right">
                {canManage && isUsable ? (
                  <Menu
                    trigger={
                      <Button variant="ghost" size="icon" aria-label={`Actions for ${row.name}`}>
                        <Ellipsis aria-hidden />
                      </Button>
                    }
                  >
                    {row.state === "active" && canIssue ? (
                      <MenuItem
                        onClick={() => {
                          setRotating(row);
                        }}
                      >
                        Rotate…
                      </MenuItem>
                    ) : null}
                    {row.state === "overlap" ? (
                      <MenuItem
                        onClick={() => {
                          setEnding({ row, verb: "endOverlap" });
                        }}
                      >
                        End overlap…
                      </MenuItem>
                    ) : null}
                    {row.state === "overlap" || canIssue ? <MenuSeparator /> : null}
                    <MenuItem
                      isDangerous
                      onClick={() => {
                        setEnding({ row, verb: "revoke" });
                      }}
                    >
                      Revoke…
                    </MenuItem>
                  </Menu>
                ) : null}
              </Td>
            </tr>
          );
        })}
      </Table>
      <RotateKey
        workspaceId={workspaceId}
        rotating={
          rotating && {
            ...rotating,
            lastUsed: rotating.lastUsedAt ? relativeTime(new Date(rotating.lastUsedAt), new Date(now)) : undefined,
          }
        }
        onClose={() => {
          setRotating(undefined);
        }}
        rotate={props.rotate}
      />
      <EndKey
        {...props}
        ending={ending}
        onClose={() => {
          setEnding(undefined);
        }}
      />
    </>
  );
}
