import { AllowOrigin } from "@/components/shell/allow-origin";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import type { Action } from "@/components/ui/action-result";

type WebAppKey = { workspaceId: string; webAppId: string };
type RefusedRow = { origin: string; count: number; lastSeenAt: string | null; canBeAllowed: boolean };

type Props = {
  webApp: WebAppKey;
  rows: readonly RefusedRow[];
  now: string;
  canManage: boolean;
  allow: Action<WebAppKey & { origins: string[] }, unknown>;
};

const NAMES: Record<string, { name: string; why: string }> = {
  "": {
    name: "(no Origin header)",
    why: "The request did not come from a page: a script, an app, or a page opened from a file. Browsers always name the origin.",
  },
  "*": {
    name: "(further origins)",
    why: "More different origins than the feed keeps. Usually somebody tries the public environment id elsewhere.",
  },
};

function Row({ row, webApp, now, canManage, allow }: Omit<Props, "rows"> & { row: RefusedRow }) {
  const known = NAMES[row.origin];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-52">
        <span className="font-mono text-xs break-all">{known?.name ?? row.origin}</span>
        {known ? <p className="text-xs text-fg-muted">{known.why}</p> : null}
        {!known && !row.canBeAllowed ? (
          <p className="text-xs text-fg-muted">This is not an http or https origin, so it cannot be allowed.</p>
        ) : null}
      </div>
      <span className="text-fg-muted">
        {row.count}×
        {row.lastSeenAt ? (
          <>
            , last <RelativeTime at={row.lastSeenAt} now={now} />
          </>
        ) : null}
      </span>
      {row.canBeAllowed && canManage ? <AllowOrigin {...webApp} origin={row.origin} allow={allow} /> : null}
    </li>
  );
}

/** Origins whose submissions were refused: the most common cause of missing visits. */
export function RefusedOrigins({ rows, ...props }: Props) {
  return (
    <Panel id="refused" title="Refused in the last 24 hours" aside="not counted, not stored">
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">Nothing was refused.</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <Row key={row.origin} row={row} {...props} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
