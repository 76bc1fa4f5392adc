import { SubjectId } from "@/components/report/subject-id";
import { Facts, Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import { familyName } from "@/components/report/family-name";
import { describeLink, type LinkRecord } from "./describe-link";

type Device = {
  firstSeenAt: Date;
  lastSeenAt: Date;
  visits: number;
  browserFamily: string;
  systemFamily: string;
  addresses: number;
  tokens: number;
};

export function DeviceSummary({ device, zone }: { device: Device; zone: string }) {
  return (
    <Panel id="profile" title="Profile">
      <Facts
        rows={[
          { name: "First seen", value: <AbsoluteTime at={device.firstSeenAt} zone={zone} /> },
          { name: "Last seen", value: <AbsoluteTime at={device.lastSeenAt} zone={zone} /> },
          { name: "Visits", value: String(device.visits) },
          { name: "Browser", value: familyName(device.browserFamily) },
          { name: "System", value: familyName(device.systemFamily) },
          { name: "Addresses", value: `${device.addresses} different` },
          { name: "Tokens", value: `${device.tokens} bound to it` },
        ]}
      />
    </Panel>
  );
}

type Props = {
  workspaceId: string;
  zone: string;
  links: readonly { imprint: string; at: Date; identity: LinkRecord | undefined }[];
};

/** How each of the newest visits was linked to the device, with the evidence for visits without a token. */
export function DeviceLinks({ workspaceId, zone, links }: Props) {
  return (
    <Panel id="links" title="How its visits were recognised" aside="newest first">
      <ol>
        {links.map(({ imprint, at, identity }) => {
          const { title, evidence } = describeLink(identity);
          return (
            <li key={imprint} className="border-b px-4 py-2 last:border-b-0">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-semibold">{title}</span>
                <span className="flex flex-wrap gap-x-3 text-fg-muted">
                  <AbsoluteTime at={at} zone={zone} />{" "}
                  <SubjectId workspaceId={workspaceId} kind="visit" value={imprint} />
                </span>
              </div>
              {evidence.length > 0 ? (
                <ul className="mt-1 text-fg-muted">
                  {evidence.map(({ fact, text, weight }) => (
                    <li key={fact} className="flex flex-wrap justify-between gap-x-4">
                      <span className="min-w-0">{text}</span> <span className="font-mono text-xs">{weight}</span>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
