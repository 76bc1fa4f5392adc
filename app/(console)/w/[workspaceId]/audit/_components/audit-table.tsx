import { actorName, creatorName } from "@/components/shell/creator-name";
import { foreign } from "@/components/ui/foreign";
import { Id } from "@/components/ui/id";
import { Link } from "@/components/ui/link";
import { Table, Td, TextTd } from "@/components/ui/table";
import { AbsoluteTime } from "@/components/ui/time";
import type { AuditEntry } from "@/lib/platform/audit";
import { type DetailLine, detailLines, isPerson } from "./audit-text";
import type { Target } from "./read-targets";

type Members = readonly { userId: string; email: string }[];

/** An id below the name of what it identifies. */
const IdBelow = ({ value }: { value: string }) => (
  <Id value={value} copy="hover" className="flex font-normal text-fg-muted" />
);

function Actor({ entry, members }: { entry: AuditEntry; members: Members }) {
  return (
    <>
      {actorName(entry.actorKind, entry.actorId, members)}
      {entry.actorId === "" ? null : <IdBelow value={entry.actorId} />}
    </>
  );
}

function TargetName({ target, members, targets }: { target: string } & Pick<Props, "members" | "targets">) {
  const { name, href }: Target = isPerson(target)
    ? { name: creatorName(target, members) }
    : (targets.get(target) ?? {});
  if (name === undefined) return <Id value={target} copy="hover" {...(href !== undefined && { href })} />;
  return (
    <>
      {href === undefined ? (
        foreign(name)
      ) : (
        <Link href={href} className="link">
          {foreign(name)}
        </Link>
      )}
      <IdBelow value={target} />
    </>
  );
}

function Detail({ text, people }: DetailLine) {
  return (
    <div className="wrap-anywhere">
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

type Props = {
  entries: readonly AuditEntry[];
  members: Members;
  /** By id. */
  targets: ReadonlyMap<string, Target>;
  addressesVisible: boolean;
};

export function AuditTable({ entries, members, targets, addressesVisible }: Props) {
  return (
    <Table
      label="Audit log"
      room="most-columns"
      columns={["Time", "Who", "Action", "Target", "What changed", "Source"]}
    >
      {entries.map((entry) => (
        <tr key={entry.auditId} className="align-baseline [&>td]:py-1.5">
          <Td className="min-w-24 whitespace-normal">
            <AbsoluteTime at={entry.at} />
          </Td>
          <TextTd>
            <Actor entry={entry} members={members} />
          </TextTd>
          <Td className="font-mono text-xs">{entry.action}</Td>
          <TextTd>
            <TargetName target={entry.target} members={members} targets={targets} />
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
