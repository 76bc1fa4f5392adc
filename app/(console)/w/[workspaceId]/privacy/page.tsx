import { counted } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";

import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { deleteDeviceAction } from "@/app/(console)/actions/devices";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { retentionText } from "@/components/shell/retention-text";
import { Facts, PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { env } from "@/lib/platform/env";
import { holds, readWorkspace } from "@/lib/tenancy/workspaces";
import { COLLECTED, RECEIVED } from "./_components/collected";
import { AccountErasure, DeviceErasure } from "./_components/erasure";
import { deleteAccountAction, exportAccountAction } from "./actions";

export const metadata = pageMetadata("privacy");

type Props = { params: Promise<{ workspaceId: string }> };

function Stored({ retention }: { retention: Parameters<typeof retentionText>[0] }) {
  return (
    <Facts
      rows={[
        {
          name: "Raw signals",
          value: `${counted(Math.min(env.SIGNALS_RETENTION_DAYS, retention.keptDays), "day")}, then erased from their visits`,
        },
        {
          name: "Visits",
          value: `Report, address, place, findings: ${retentionText(retention)}`,
        },
        { name: "Devices", value: "Until they are deleted: an id, first and last visit, kind of browser and system" },
        {
          name: "Accounts",
          value: "Only a hash of the reference under a key of this workspace, and the devices it was seen on",
        },
        { name: "Usage", value: "Counts by day, without any visitor data" },
        { name: "Audit log", value: "Permanently: which members signed in, and what they changed" },
      ]}
    />
  );
}

function Consent() {
  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <p>
        The component does nothing until your page calls <code className="font-mono text-xs">run()</code>: call it after
        consent where you need one, and not at all for visitors who opted out.
      </p>
      <p>
        It keeps one random token in the browser, under a name that begins with{" "}
        <code className="font-mono text-xs">imprint_</code>. With{" "}
        <code className="font-mono text-xs">storage: &quot;none&quot;</code> it keeps nothing.
      </p>
      <p>
        <Link className="link" href="/docs/privacy">
          Text for your privacy notice
        </Link>
      </p>
    </div>
  );
}

export default async function PrivacyPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("privacy", { workspaceId }, (context) => readWorkspace(context, { workspaceId }));
  if (!page.ok) return page.restricted;
  const canErase = holds(page.value, "data.delete");
  return (
    <>
      <PageHeader
        title="Privacy"
        lead="What is collected about visitors, how long it is kept, and how to answer a person who asks."
      />
      <div className="grid gap-4 nav:grid-cols-2">
        <Panel id="requests" title="Answer a person's request" className="nav:col-span-2">
          {canErase ? (
            <div className="grid sm:grid-cols-2 sm:divide-x">
              <DeviceErasure
                workspaceId={workspaceId}
                remove={deleteDeviceAction}
                readConsequences={readConsequencesAction}
              />
              <AccountErasure
                workspaceId={workspaceId}
                save={exportAccountAction}
                remove={deleteAccountAction}
                readConsequences={readConsequencesAction}
              />
            </div>
          ) : (
            <RestrictedState title="Export and erasure are not part of your role">
              Owners and admins save and delete what is stored of a device or an account.
            </RestrictedState>
          )}
        </Panel>
        <Panel id="stored" title="What is stored, and how long">
          <Stored retention={page.value} />
          <p className="border-t px-4 py-2 text-fg-muted">
            Everything is stored in this installation's PostgreSQL. Nothing is sent anywhere else.
          </p>
        </Panel>
        <Panel id="consent" title="Consent and opt-out">
          <Consent />
        </Panel>
        <Panel id="collected" title="What the component collects" className="nav:col-span-2">
          <Facts
            rows={[
              ...Object.entries(COLLECTED).map(([name, value]) => ({
                name: <span className="font-mono text-xs">{name}</span>,
                value,
              })),
              ...RECEIVED.map((text) => ({ name: "with the request", value: text })),
            ]}
          />
        </Panel>
      </div>
    </>
  );
}
