import { openPage, pageMetadata } from "@/app/_server/console-page";
import { counted } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { readLinkControl, readShadow } from "@/lib/visits/devices";
import { LinkControlDetails } from "./_components/link-control";

export const metadata = pageMetadata("recognition");

type Props = { params: Promise<{ workspaceId: string }> };

export default async function RecognitionPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("recognition", { workspaceId }, async (context) => ({
    shadow: await readShadow(context, { workspaceId }),
    control: await readLinkControl(context, { workspaceId }),
  }));
  if (!page.ok) return page.restricted;
  const { agreed, missed, wrong } = page.value.shadow;
  const measured = agreed + missed + wrong;
  const share = (count: number) => `${((count / measured) * 100).toFixed(1)} %`;
  return (
    <>
      <PageHeader
        title="Recognition"
        lead="A browser keeps a token by which its device is known again. Some visitors lose it: they clear their storage or browse privately. This page shows how often such visitors are still recognised, from their browser and network alone."
      />
      <Panel
        id="measured"
        title="If visitors lost their token"
        aside={
          <Link className="link" href="/docs/identity#the-live-figure">
            How this is measured
          </Link>
        }
        className="mb-4"
      >
        {measured === 0 ? null : (
          <FigureGrid className="border-b sm:grid-cols-3">
            <Figure name="The same device" value={share(agreed)}>
              {counted(agreed, "visit")} would be recognised
            </Figure>
            <Figure name="A new device" value={share(missed)}>
              {counted(missed, "visit")} would count as another device
            </Figure>
            <Figure name="Another device" value={share(wrong)}>
              {counted(wrong, "visit")} would be taken for somebody else
            </Figure>
          </FigureGrid>
        )}
        <p className="px-4 py-2 text-fg-muted">
          {measured === 0
            ? "Nothing has been measured in the last 30 days. Visits that return with their token are measured as they arrive."
            : `${counted(measured, "visit")} of the last 30 days that had ${measured === 1 ? "its" : "their"} token ${measured === 1 ? "was" : "were"} assessed once more as if ${measured === 1 ? "it" : "they"} had none. The token gives the right answer.`}
        </p>
      </Panel>
      <Panel
        id="links"
        title="Where visits without a token are linked"
        aside={
          <Link className="link" href="/docs/identity">
            About devices
          </Link>
        }
      >
        <LinkControlDetails {...page.value.control} />
      </Panel>
    </>
  );
}
