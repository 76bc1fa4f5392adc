import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import type { Label, LabelSubject } from "@/lib/contract/labels";
import { actorWords } from "@/lib/platform/actor-words";
import { LabelSwitch, type SetLabelAction } from "./label-switch";
import { LABEL_WORDS } from "./label-words";

type Stored = { label: Label; actorKind: string; createdAt: Date };
export type LabelsView = Record<LabelSubject, Stored | null> & { label: Label | null; mayLabel: boolean };

const WORDS: Record<LabelSubject, string> = { visit: "This visit", account: "Its account", device: "Its device" };

type Subjects = { imprint?: string; deviceId?: string; accountId?: string };
type Props = {
  workspaceId: string;
  labels: LabelsView;
  /** The subjects that can be labelled. */
  subjects: Subjects;
  now: Date;
  zone: string;
  action: SetLabelAction;
};

function rowsOf({ imprint, deviceId, accountId }: Subjects) {
  return [
    ...(imprint === undefined ? [] : [{ kind: "visit" as const, subject: { imprint } }]),
    ...(accountId === undefined ? [] : [{ kind: "account" as const, subject: { accountId } }]),
    ...(deviceId === undefined ? [] : [{ kind: "device" as const, subject: { deviceId } }]),
  ];
}

/** Labels of a visit, its account and its device: set here, counted on the rule pages. */
export function LabelPanel({ workspaceId, labels, subjects, now, zone, action }: Props) {
  const rows = rowsOf(subjects);
  const isAlone = rows.length === 1;
  return (
    <Panel id="labels" title="Labels" aside="what it turned out to be; the Report stays as it is">
      <dl>
        {rows.map(({ kind, subject }) => {
          const stored = labels[kind];
          const counts = !isAlone && stored !== null && rows.find((row) => labels[row.kind] !== null)?.kind === kind;
          return (
            <div key={kind} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 last:border-b-0">
              <dt className="w-24 shrink-0 text-fg-muted">{isAlone ? "Label" : WORDS[kind]}</dt>
              <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
                {labels.mayLabel ? (
                  <LabelSwitch
                    workspaceId={workspaceId}
                    name={`Label: ${WORDS[kind].toLowerCase()}`}
                    subject={subject}
                    label={stored?.label ?? null}
                    action={action}
                  />
                ) : (
                  <span>{stored ? LABEL_WORDS[stored.label] : "none"}</span>
                )}
                {stored ? (
                  <span className="text-xs text-fg-muted">
                    by {actorWords(stored.actorKind) ?? stored.actorKind},{" "}
                    <RelativeTime at={stored.createdAt} now={now} zone={zone} />
                    {counts ? " · counts for the rules" : ""}
                  </span>
                ) : null}
              </dd>
            </div>
          );
        })}
      </dl>
    </Panel>
  );
}
