import type { RawQuery } from "@/components/ui/filter-texts";
import { Link } from "@/components/ui/link";

import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { searchSections } from "../_components/search";
import { readSections } from "../search-index";

export const metadata = { title: "Search", robots: { index: false } };

type Props = { searchParams: Promise<RawQuery> };

export default async function SearchPage({ searchParams }: Props) {
  const given = (await searchParams)["q"];
  const query = typeof given === "string" ? given.trim().slice(0, 200) : "";
  const hits = searchSections(await readSections(), query);
  return (
    <div className="max-w-176">
      <h1 className="text-title font-semibold">Search the documentation</h1>
      <form method="get" action="/docs/search" className="mt-3 flex gap-2">
        <Input type="search" name="q" aria-label="Words to search for" defaultValue={query} autoFocus={query === ""} />
        <Button type="submit">Search</Button>
      </form>
      {query === "" ? null : (
        <p role="status" className="mt-4 wrap-anywhere text-fg-muted">
          {hits.length === 0 ? `Nothing holds all of “${query}”.` : `${hits.length} places for “${query}”`}
        </p>
      )}
      <ul className="mt-2">
        {hits.map(({ href, page, heading, excerpt }) => (
          <li key={`${href} ${heading}`} className="border-t py-3 wrap-anywhere">
            <p>
              <Link href={href} prefetch={false} className="link font-medium">
                {heading}
              </Link>
              {heading === page ? null : <span className="text-fg-muted"> in {page}</span>}
            </p>
            <p className="text-fg-muted">{excerpt}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
