import { Link } from "@/components/ui/link";

import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/input";
import { Facts, Panel } from "@/components/ui/panel";
import { foreign } from "@/components/ui/foreign";
import { planName } from "@/components/shell/plan-name";

type Workspace = { workspaceId: string; name: string; plan: string; role: string };
type Offer = { scope: string; title: string; text: string; obstacle: string | undefined };

export type ConsentView = {
  clientName: string;
  /** Verified host of the client; without it the name is self-declared. */
  verifiedHost: string | undefined;
  redirectTarget: string;
  isLocal: boolean;
  userId: string;
  email: string;
  workspaces: readonly Workspace[];
  workspaceId: string | undefined;
  offers: readonly Offer[];
  /** Set if the form was submitted from a page that another person had opened. */
  isPersonChanged: boolean;
  /** Set if the form was submitted without a selected scope. */
  isEmpty: boolean;
  /** URL of this page, without a query. */
  path: string;
};

function Identity({ verifiedHost }: Pick<ConsentView, "verifiedHost">) {
  if (verifiedHost !== undefined) return <>vouched for by {verifiedHost}</>;
  return (
    <>
      <span className="badge rounded-md bg-susp-bg px-1.5 py-0.5 text-xs font-medium text-susp">Unverified</span>{" "}
      Anybody could have chosen this name.
    </>
  );
}

function ClientFacts(view: ConsentView) {
  return (
    <Panel>
      <Facts
        rows={[
          { name: "Client", value: <strong className="font-semibold">{view.clientName}</strong> },
          { name: "Identity", value: <Identity {...view} /> },
          {
            name: "Answer goes to",
            value: (
              <>
                <span className="font-mono text-xs break-all">{view.redirectTarget}</span>
                {view.isLocal ? (
                  <span className="block text-fg-muted">
                    A program on your own machine. Allow it only if you have just started it.
                  </span>
                ) : null}
              </>
            ),
          },
          { name: "Signed in as", value: view.email },
        ]}
      />
    </Panel>
  );
}

function WorkspaceChoice({ workspaces, workspaceId, path }: ConsentView) {
  if (workspaces.length < 2) return null;
  return (
    <nav aria-label="Workspace" className="rounded-lg border bg-surface">
      <ul>
        {workspaces.map(({ workspaceId: id, name, plan, role }) => (
          <li key={id} className="border-b last:border-b-0">
            <Link
              href={`${path}?workspace=${id}`}
              prefetch={false}
              aria-current={id === workspaceId ? "true" : undefined}
              className="flex min-h-9 items-center justify-between gap-3 px-4 py-1.5 hover:bg-surface-2 aria-[current]:bg-surface-2 aria-[current]:font-semibold"
            >
              <span className="min-w-0 truncate">{name}</span>
              <span className="shrink-0 font-normal text-fg-muted">
                {planName(plan)} · <span className="capitalize">{role}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ScopeChoice({ offers, isEmpty }: ConsentView) {
  return (
    <fieldset
      className="rounded-lg border bg-surface"
      aria-describedby={isEmpty ? "consent-empty" : undefined}
      aria-invalid={isEmpty ? true : undefined}
    >
      <legend className="sr-only">What the client may do</legend>
      {offers.map(({ scope, title, text, obstacle }) => (
        <div key={scope} className="flex gap-3 border-b px-4 py-2.5 last:border-b-0">
          <Checkbox
            id={scope}
            name="scope"
            value={scope}
            defaultChecked={obstacle === undefined}
            disabled={obstacle !== undefined}
            aria-describedby={`${scope}-text`}
          />
          <div className="min-w-0">
            <label htmlFor={scope} className="font-medium">
              {title}
            </label>
            <p id={`${scope}-text`} className="text-fg-muted">
              {obstacle === undefined ? text : `Not on offer: ${obstacle}`}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}

/** The consent form: plain HTML, which works without scripts. */
export function ConsentForm(view: ConsentView) {
  const { workspaces, workspaceId, offers, path } = view;
  const chosen = workspaces.find((workspace) => workspace.workspaceId === workspaceId);
  const canAllow = offers.some(({ obstacle }) => obstacle === undefined);
  return (
    <>
      {view.isPersonChanged ? (
        <p role="alert" className="rounded-md bg-susp-bg px-3 py-2 text-susp">
          Somebody else was signed in when this page was opened; now it is {foreign(view.email)}. Nothing was decided.
        </p>
      ) : null}
      <ClientFacts {...view} />
      {chosen ? (
        <>
          <h2 className="font-semibold">
            {workspaces.length > 1 ? "In which workspace" : `In the workspace ${foreign(chosen.name)}`}
          </h2>
          <WorkspaceChoice {...view} />
        </>
      ) : (
        <p role="alert" className="rounded-md bg-susp-bg px-3 py-2 text-susp">
          You are not a member of any workspace, so there is nothing that the client could read.
        </p>
      )}
      <form method="post" action={`${path}/decide`} className="flex flex-col gap-4">
        <input type="hidden" name="person" value={view.userId} />
        {chosen ? (
          <>
            <h2 className="font-semibold">What it may do there</h2>
            {view.isEmpty ? (
              <p id="consent-empty" role="alert" className="rounded-md bg-susp-bg px-3 py-2 text-susp">
                Choose at least one permission, or refuse.
              </p>
            ) : null}
            <ScopeChoice {...view} />
            <input type="hidden" name="workspace" value={chosen.workspaceId} />
          </>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {canAllow ? (
            <Button type="submit" name="decision" value="allow" variant="primary">
              Allow
            </Button>
          ) : null}
          <Button type="submit" name="decision" value="deny">
            Refuse
          </Button>
        </div>
        <p className="text-fg-muted">
          The client can only read, for at most 90 days; reading may use report units. You can end its access at any
          time in the Console.
        </p>
      </form>
    </>
  );
}
