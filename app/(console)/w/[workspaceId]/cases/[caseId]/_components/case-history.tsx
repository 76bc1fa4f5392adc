import type { ReactNode } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { shortId } from "@/components/ui/id";
import { PageLinks } from "@/components/ui/page-links";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import { type CaseEntry, entryText } from "@/lib/visits/investigation";
import type { OfCase } from "./case-state";
import { foreign } from "@/components/ui/foreign";

type Props = {
  of: OfCase;
  entries: readonly CaseEntry[];
  nameOf: (userId: string) => string;
  now: Date;
  zone: string;
  newest: string | undefined;
  older: string | undefined;
  deleteComment: Action<OfCase & { entryId: string }, unknown>;
  /** The form for a comment. */
  children: ReactNode;
};

/** Abbreviated identifiers within a sentence. */
const withShortIds = (text: string) => text.replaceAll(/\b(?:imp|dev|acc)_[0-9a-f]{32}\b/g, shortId);

/** The texts of people are part of our sentence. */
const isolated = (entry: CaseEntry): CaseEntry => ({
  ...entry,
  text: foreign(entry.text),
  former: foreign(entry.former),
});

type EntryProps = Pick<Props, "of" | "nameOf" | "now" | "zone" | "deleteComment"> & { entry: CaseEntry };

function Entry({ of, entry, nameOf, now, zone, deleteComment }: EntryProps) {
  const isComment = entry.kind === "comment";
  const who = nameOf(entry.actorId);
  return (
    <li className="border-b px-4 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="min-w-0 wrap-anywhere text-fg-muted">
          <span className="font-medium text-fg">{who}</span>{" "}
          {isComment ? "wrote" : withShortIds(entryText(isolated(entry), nameOf))} ·{" "}
          <RelativeTime at={entry.at} now={now} zone={zone} />
        </p>
        {entry.canDelete ? (
          <Confirm
            trigger={
              <Button size="sm" variant="ghost" aria-label={`Delete the comment of ${who}`}>
                Delete…
              </Button>
            }
            title="Delete this comment?"
            confirmLabel="Delete comment"
            action={deleteComment}
            input={{ ...of, entryId: entry.entryId }}
            done="The comment is deleted"
          >
            It is deleted for good, for everybody.
          </Confirm>
        ) : null}
      </div>
      {isComment ? <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{entry.text}</p> : null}
    </li>
  );
}

/** Comments and events of a case, newest first. */
export function CaseHistory({ entries, newest, older, children, ...of }: Props) {
  return (
    <Panel id="history" title="Timeline" aside="newest first">
      {children}
      <ol>
        {entries.map((entry) => (
          <Entry key={entry.entryId} entry={entry} {...of} />
        ))}
      </ol>
      <PageLinks newest={newest} older={older} />
    </Panel>
  );
}
