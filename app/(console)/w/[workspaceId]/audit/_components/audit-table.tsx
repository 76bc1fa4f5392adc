import { creatorName } from "@/components/shell/creator-name";
import { Id } from "@/components/ui/id";
import { Table, Td, TextTd } from "@/components/ui/table";
import { AbsoluteTime } from "@/components/ui/time";
import type { AuditEntry } from "@/lib/platform/audit";
import { type DetailLine, detailLines, isPerson } from "./audit-text";

type Members = readonly { userId: string; email: string }[];

const KINDS: Record<string, string> = {
  apiKey: "API key",
  managementKey: "management key",
  oauthClient: "connected client",
};

const actorName = ({ actorKind, actorId }: AuditEntry, members: Members) =>
  actorKind === "user" ? creatorName(actorId, members) : (KINDS[actorKind] ?? creatorName(actorKind, members));

/** An id below the name of what it identifies. */
const IdBelow = ({ value }: { value: string }) => (
  <Id value={value} copy="hover" className="flex font-normal text-fg-muted" />
);

function Actor({ entry, members }: { entry: AuditEntry; members: Members }) {
  return (
    <>
      {actorName(entry, members)}
      {entry.actorId === "" ? null : <IdBelow value={entry.actorId} />}
    </>
  );
}

function Target({ target, members }: { target: string; members: Members }) {
  if (!isPerson(target)) return <Id value={target} copy="hover" />;
  return (
    <>
      {creatorName(target, members)}
      <IdBelow value={target} />
    </>
  );
}

function Detail({ text, people }: DetailLine) {
  return (
    <div className="break-words">
      {text}
      {people.map((userId) => (
        <IdBelow key={userId} value={userId} />
      ))}
    </div>
  );
}

function Source({ entry, addressesVisible }: { entry: AuditEntry; addressesVisible: boolean }) {
  if (entry.actorKind === "user" && !addressesVisible) return null;
  if (entry.address === null) return <span className="text-fg-muted">–</span>;
  return <span className="font-mono text-xs">{entry.address}</span>;
}

type Props = { entries: readonly AuditEntry[]; members: Members; addressesVisible: boolean };

export function AuditTable({ entries, members, addressesVisible }: Props) {
  return (
    <Table label="Audit log" hasWideColumns columns={["Time", "Who", "Action", "Target", "What changed", "Source"]}>
      {entries.map((entry) => (
        <tr key={entry.auditId} className="align-baseline [&>td]:py-1.5">
          <Td>
            <AbsoluteTime at={entry.at} />
          </Td>
          <TextTd>
            <Actor entry={entry} members={members} />
          </TextTd>
          <Td className="font-mono text-xs">{entry.action}</Td>
          <TextTd>
            <Target target={entry.target} members={members} />
          </TextTd>
          <Td className="max-w-96 min-w-48 whitespace-normal text-fg-muted">
            {detailLines(entry, members).map((line) => (
              <Detail key={line.text} {...line} />
            ))}
          </Td>
          <Td>
            <Source entry={entry} addressesVisible={addressesVisible} />
            {entry.credential === "" ? null : <Id value={entry.credential} className="block text-fg-muted" />}
            {entry.requestId === null ? null : <Id value={entry.requestId} className="block text-fg-muted" />}
          </Td>
        </tr>
      ))}
    </Table>
  );
}
