"use client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";

import type { ReadConsequences } from "@/components/shell/consequence-asked";
import { pageHref } from "@/components/shell/pages";
import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { CellLink } from "@/components/ui/cell-link";
import { TimeTd } from "@/components/ui/cells";
import { Chip } from "@/components/ui/chip";
import { Confirm } from "@/components/ui/confirm";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { ActionsTh, Table, Td, TextTd } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { relativeTime } from "@/components/ui/time-text";
import { type ExtendAction, ExtendOverlap, type RotateAction, RotateKey } from "./key-dialogs";
import { groupKeys, type KeyGroup, type KeyRow } from "./key-row";
import { foreign } from "@/components/ui/foreign";

type OfKey = { workspaceId: string; keyId: string };
type Props = {
  workspaceId: string;
  keys: readonly KeyRow[];
  now: string;
  canManage: boolean;
  /** Whether this person may create and therefore rotate keys. */
  canIssue: boolean;
  rotate: RotateAction;
  extend: ExtendAction;
  endOverlap: Action<OfKey, void>;
  revoke: Action<OfKey, void>;
  readConsequences: ReadConsequences;
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

type Verb = "rotate" | "extend" | "endOverlap" | "revoke";
/** Dialogs about a key, rendered outside the rows, which a refresh replaces. */
type Chosen = { row: KeyRow; verb: Verb } | undefined;
type Choose = (row: KeyRow, verb: Verb) => void;

function EndKey({ chosen, onClose, ...props }: Props & { chosen: Chosen; onClose: () => void }) {
  const isRevoking = chosen?.verb === "revoke";
  const ofKey = { workspaceId: props.workspaceId, keyId: chosen?.row.keyId ?? "" };
  return (
    <Confirm
      title={isRevoking ? `Revoke “${foreign(chosen.row.name)}”?` : "End the overlap now?"}
      open={isRevoking || chosen?.verb === "endOverlap"}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      confirmLabel={isRevoking ? "Revoke key" : "End overlap"}
      action={isRevoking ? props.revoke : props.endOverlap}
      input={ofKey}
      done={isRevoking ? "The key is revoked" : "The former secret is revoked"}
      consequences={{ asked: { what: "key", ...ofKey }, read: props.readConsequences }}
    >
      Requests with <span className="font-mono text-xs">{chosen?.row.shown}</span> are refused from this moment on. This
      cannot be undone.
    </Confirm>
  );
}

function Secrets({ group: { key, former }, now }: { group: KeyGroup; now: string }) {
  return (
    <>
      <span className="font-mono text-xs">{key.shown}</span>
      {former.map((row) => (
        <span key={row.keyId} className="block text-xs text-fg-muted">
          <span className="font-mono">{row.shown}</span> until{" "}
          {row.expiresAt ? <RelativeTime at={row.expiresAt} now={now} /> : "it is ended"}
          {row.lastUsedAt ? (
            <>
              , used <RelativeTime at={row.lastUsedAt} now={now} />
            </>
          ) : (
            ", not used"
          )}
        </span>
      ))}
    </>
  );
}

function KeyMenu({ group: { key, former }, canIssue, choose }: { group: KeyGroup; canIssue: boolean; choose: Choose }) {
  const item = (row: KeyRow, verb: Verb, label: string) => (
    <MenuItem
      key={`${row.keyId} ${verb}`}
      isDangerous={verb === "revoke"}
      onClick={() => {
        choose(row, verb);
      }}
    >
      {label}
    </MenuItem>
  );
  // A replaced key whose replacement has ended is shown on its own.
  const ending = key.state === "overlap" ? [key] : former;
  const nameOf = (row: KeyRow) => (ending.length > 1 ? ` of …${row.shown.slice(-4)}` : "");
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${foreign(key.name)}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {key.state === "active" && canIssue ? item(key, "rotate", "Rotate…") : null}
      {ending.flatMap((row) => [
        canIssue ? item(row, "extend", `Extend the overlap${nameOf(row)}…`) : null,
        item(row, "endOverlap", `End the overlap${nameOf(row)}…`),
      ])}
      {ending.length > 0 || canIssue ? <MenuSeparator /> : null}
      {item(key, "revoke", "Revoke…")}
    </Menu>
  );
}

function Row({ group, choose, ...props }: Props & { group: KeyGroup; choose: Choose }) {
  const { key: row, former } = group;
  const { now, workspaceId, canManage, canIssue } = props;
  const isUsable = row.state === "active" || row.state === "overlap";
  return (
    <tr className={isUsable ? "" : "text-fg-muted"}>
      <TextTd className="font-medium">
        <CellLink isRowLink href={pageHref("key", { workspaceId, keyId: row.keyId })}>
          {row.name}
        </CellLink>
      </TextTd>
      <Td className={former.length > 0 ? "py-1.5" : ""}>
        <Secrets group={group} now={now} />
      </Td>
      <Td>
        <Chip isActive={row.state === "active"}>{former.length > 0 ? "two secrets" : STATES[row.state]}</Chip>
      </Td>
      <TextTd>{row.createdBy}</TextTd>
      <TimeTd at={row.createdAt} now={now} />
      <TimeTd at={row.lastUsedAt} now={now}>
        {row.isUnused ? <span className="block text-xs text-susp">unused for 30 days</span> : null}
      </TimeTd>
      <Td>
        <Expiry row={row} now={now} />
      </Td>
      <Td className="text-right">
        {canManage && isUsable ? <KeyMenu group={group} canIssue={canIssue} choose={choose} /> : null}
      </Td>
    </tr>
  );
}

/** Keys, each with all its accepted secrets. */
export function KeyTable(props: Props) {
  const { keys, now, workspaceId } = props;
  const [chosen, setChosen] = useState<Chosen>();
  const close = () => {
    setChosen(undefined);
  };
  const chosenFor = (verb: Verb) =>
    chosen?.verb === verb
      ? {
          ...chosen.row,
          lastUsed: chosen.row.lastUsedAt ? relativeTime(new Date(chosen.row.lastUsedAt), new Date(now)) : undefined,
        }
      : undefined;
  return (
    <>
      <Table
        label="Keys"
        columns={["Name", "Key", "State", "Created by", "Created", "Last used", "Expires", <ActionsTh />]}
      >
        {groupKeys(keys).map((group) => (
          <Row
            key={group.key.keyId}
            {...props}
            group={group}
            choose={(row, verb) => {
              setChosen({ row, verb });
            }}
          />
        ))}
      </Table>
      <RotateKey workspaceId={workspaceId} rotating={chosenFor("rotate")} onClose={close} rotate={props.rotate} />
      <ExtendOverlap workspaceId={workspaceId} extending={chosenFor("extend")} onClose={close} extend={props.extend} />
      <EndKey {...props} chosen={chosen} onClose={close} />
    </>
  );
}
