import { countText } from "@/components/ui/counted";
import { Id } from "@/components/ui/id";
import { Meter } from "@/components/ui/meter";
import { Facts, Panel } from "@/components/ui/panel";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";

type Use = { used: number; limit: number };
export type GrantView = {
  trialId: string;
  environmentId: string;
  units: Use;
  submissions: Use;
  reportRequests: Use;
  requestsPerSecond: number;
  expiresAt: Date;
  /** Set by the first status request that finds the trial active. */
  deliverUntil: Date | undefined;
  isKeySealed: boolean;
  isActive: boolean;
};

const count = (name: string, { used, limit }: Use) => ({
  name,
  value: (
    <span className="flex items-center gap-2.5">
      <Meter label={`${name} used`} value={used} limit={limit} className="max-w-40 flex-1" />
      {countText(used)} of {countText(limit)}
    </span>
  ),
});

function Delivery({ grant, now }: { grant: GrantView; now: Date }) {
  if (!grant.isActive || !grant.isKeySealed) return "closed; only a hash of the key is kept";
  if (!grant.deliverUntil) return "opens with the buyer's next status read";
  if (grant.deliverUntil <= now) return "closed; the key is about to be erased";
  return (
    <>
      open, closes <RelativeTime at={grant.deliverUntil} now={now} />
    </>
  );
}

/** The trial of a purchase, with its usage. Its key is shown to the buyer only. */
export function GrantPanel({ grant, now }: { grant: GrantView; now: Date }) {
  return (
    <Panel id="trial" title="Trial">
      <Facts
        rows={[
          { name: "Trial id", value: <Id value={grant.trialId} copy="always" /> },
          { name: "Environment", value: <Id value={grant.environmentId} copy="always" /> },
          count("Report units", grant.units),
          count("Visits", grant.submissions),
          count("Report requests", grant.reportRequests),
          { name: "Rate", value: `${grant.requestsPerSecond} requests a second` },
          {
            name: grant.isActive ? "Ends" : "Would end",
            value: (
              <>
                <AbsoluteTime at={grant.expiresAt} />
                {grant.isActive ? (
                  <span className="text-fg-muted">
                    , <RelativeTime at={grant.expiresAt} now={now} />
                  </span>
                ) : null}
              </>
            ),
          },
          { name: "Key delivery", value: <Delivery grant={grant} now={now} /> },
        ]}
      />
    </Panel>
  );
}
