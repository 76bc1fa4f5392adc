import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { downloadHref, fileOf } from "@/app/_server/download";
import { pageContext } from "@/app/_server/page";
import { ButtonLink, buttonStyle } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { MessagePage } from "@/components/ui/message-page";

export const metadata: Metadata = { title: "Your file", robots: { index: false } };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Saves a file whose address was opened before signing in: a file itself would leave the page that leads to it open. */
export default async function DownloadPage({ searchParams }: Props) {
  const of = fileOf((await searchParams)["of"]);
  if (!of) notFound();
  await pageContext(downloadHref(of.file));
  return (
    <MessagePage title="Your file">
      <p className="text-fg-muted">The download begins by itself. If it does not, use the button.</p>
      <div className="flex flex-wrap gap-2">
        <DownloadLink href={of.file} className={buttonStyle({ variant: "primary" })} startsAtOnce>
          Download
        </DownloadLink>
        <ButtonLink href={of.home}>To the Console</ButtonLink>
      </div>
    </MessagePage>
  );
}
