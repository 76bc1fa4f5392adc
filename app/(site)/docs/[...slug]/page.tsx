import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { Markdown } from "@/components/docs/markdown";
import { DOC_PAGES, readDoc } from "../pages";

type Props = { params: Promise<{ slug: string[] }> };

const findPage = (slug: readonly string[]) => DOC_PAGES.find((page) => page.slug === slug.join("/"));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = findPage((await params).slug);
  return page ? { title: page.title, description: page.summary } : {};
}

export default async function DocPage({ params }: Props) {
  const page = findPage((await params).slug);
  const text = page && (await readDoc(page.file));
  if (!page || text === undefined) notFound();
  return (
    <article className="prose">
      <Markdown text={text} />
      <p className="border-t pt-3 text-fg-muted">
        <a href={`/docs/raw/${page.file}`}>This page as Markdown</a>
      </p>
    </article>
  );
}
