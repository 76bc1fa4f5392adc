import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { readRendered } from "@/lib/interfaces/documents";
import { Document } from "../_components/document";
import { DOC_PAGES } from "../pages";

type Props = { params: Promise<{ slug: string[] }> };

const findPage = (slug: readonly string[]) => DOC_PAGES.find((page) => page.slug === slug.join("/"));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = findPage((await params).slug);
  if (!page) return {};
  const alternates = { types: { "text/markdown": `/docs/${page.slug}.md` } };
  return { title: page.title, description: page.summary, alternates };
}

export default async function DocPage({ params }: Props) {
  const page = findPage((await params).slug);
  const parts = page && (await readRendered()).documents[page.file];
  if (!parts) notFound();
  return (
    <article className="prose">
      <Document parts={parts} />
      <p className="border-t pt-3 text-fg-muted">
        <a href={`/docs/${page.slug}.md`}>This page as Markdown</a>
      </p>
    </article>
  );
}
