import { Id } from "@/components/ui/id";
import { Panel } from "@/components/ui/panel";
import { instantText } from "@/components/ui/time-text";
import type { IntentStatus } from "@/lib/contract/trial";
import { detailEntries, eventLabel, STATUS_LABELS } from "../../_components/labels";

export type TimelineEntry = {
  at: Date;
  event: string;
  fromStatus: IntentStatus;
  toStatus: IntentStatus;
  requestId: string | null;
  detail: unknown;
};

/** Length in characters from which a value is abbreviated. */
const LONG = 30;

function Entry({ entry }: { entry: TimelineEntry }) {
  const { at, event, fromStatus, toStatus, requestId } = entry;
  const facts = detailEntries(entry.detail);
  return (
    <li className="relative border-l pb-3.5 pl-4 last:pb-0">
      <span
        aria-hidden
        className="mark absolute top-1.5 -left-[4.5px] size-2 rounded-full border border-border-strong bg-surface"
      />
      <p>
        {eventLabel(event)}
        {fromStatus === toStatus ? null : (
          <>
            {" "}
            → <span className="font-medium">{STATUS_LABELS[toStatus]}</span>
          </>
        )}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-3 text-xs text-fg-muted">
        <time dateTime={at.toISOString()}>{instantText(at)}</time>
        {facts.map(({ name, value }) => (
          <span key={name} className="min-w-0 wrap-anywhere">
            {name} {value.length > LONG ? <Id value={value} copy="hover" /> : value}
          </span>
        ))}
        {requestId === null ? null : (
          <span>
            request <Id value={requestId} copy="hover" />
          </span>
        )}
      </p>
    </li>
  );
}

/** Events of a purchase in order, append-only. */
export function Timeline({ createdAt, entries }: { createdAt: Date; entries: readonly TimelineEntry[] }) {
  return (
    <Panel id="timeline" title="Timeline" aside="entries are only added, times are UTC">
      <ol className="px-5 py-4">
        <li className="relative border-l pb-3.5 pl-4 last:pb-0">
          <span
            aria-hidden
            className="mark absolute top-1.5 -left-[4.5px] size-2 rounded-full border border-border-strong bg-surface"
          />
          <p>
            Purchase begun → <span className="font-medium">{STATUS_LABELS.payment_required}</span>
          </p>
          <p className="text-xs text-fg-muted">
            <time dateTime={createdAt.toISOString()}>{instantText(createdAt)}</time>
          </p>
        </li>
        {entries.map((entry, index) => (
          <Entry key={index} entry={entry} />
        ))}
      </ol>
    </Panel>
  );
}
