import { openPage, pageMetadata } from "@/app/_server/console-page";
import { AddressesRestricted } from "@/components/report/addresses-restricted";
import { SearchBox } from "@/components/report/search-box";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState, RestrictedState } from "@/components/ui/states";
import { type Miss, MISSES } from "./_components/result-href";

export const metadata = pageMetadata("search");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<{ why?: string }> };

const TEXTS: Record<Exclude<Miss, "restricted" | "plan">, { title: string; text: string }> = {
  imprint: {
    title: "No Report has this imprint",
    text: "It may belong to another workspace, or be older than the retention of this one.",
  },
  device: { title: "There is no such device", text: "It may belong to another workspace, or have been deleted." },
  account: {
    title: "This account has not been seen",
    text: "An account is known once your server reads a Report with its reference. Only a hash of the reference is stored, so it must be written exactly as your server sends it.",
  },
  reference: {
    title: "That is not an account reference",
    text: "References are internal ids: 1 to 128 printable characters, never an e-mail address or a telephone number.",
  },
};

function Answer({ why }: { why: Miss }) {
  if (why === "restricted") return <AddressesRestricted />;
  if (why === "plan")
    return (
      <RestrictedState title="Account Map is not part of this plan">
        Pro and Enterprise workspaces can look accounts up. Imprints, devices and addresses can be found here.
      </RestrictedState>
    );
  return <NoMatchState title={TEXTS[why].title}>{TEXTS[why].text}</NoMatchState>;
}

const KNOWN = [
  ["An imprint", "imp_… opens its Report; the beginning of one lists what begins so"],
  ["A device", "dev_… opens its profile"],
  ["An address or range", "203.0.113.7 or 203.0.113.0/24 lists the devices seen there"],
  ["A network", "AS64500 opens the page of that autonomous system"],
  ["An account", "the reference exactly as your server sends it, or acc_…"],
] as const;

export default async function SearchPage({ params, searchParams }: Props) {
  const [{ workspaceId }, { why }] = [await params, await searchParams];
  const page = await openPage("search", { workspaceId }, () => Promise.resolve());
  if (!page.ok) return page.restricted;
  const miss = MISSES.find((known) => known === why);
  return (
    <>
      <PageHeader title="Search" />
      <SearchBox workspaceId={workspaceId} className="mb-4" />
      {miss ? (
        <Panel className="mb-4">
          <Answer why={miss} />
        </Panel>
      ) : null}
      <Panel id="known" title="What can be searched for">
        <dl>
          {KNOWN.map(([name, text]) => (
            <div key={name} className="flex flex-wrap gap-x-3 border-b px-4 py-2 last:border-b-0">
              <dt className="w-40 shrink-0 font-medium">{name}</dt>
              <dd className="min-w-0 flex-1 basis-52 text-fg-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  );
}
