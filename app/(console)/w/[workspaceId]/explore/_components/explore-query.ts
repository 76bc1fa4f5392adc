import { EXPLORED_DIMENSIONS, type ExploredDimension } from "@/lib/visits/slices";
import type { RawQuery } from "@/components/ui/filter-texts";

export type ExploreQuery = { by: ExploredDimension; and: ExploredDimension | undefined; order: "visits" | "attention" };

const dimensionOf = (value: string | string[] | undefined): ExploredDimension | undefined =>
  EXPLORED_DIMENSIONS.find((dimension) => dimension === (Array.isArray(value) ? value[0] : value));

/** Parses the query of Explore; unknown values are ignored. */
export function parseExploreQuery(raw: RawQuery): ExploreQuery {
  const by = dimensionOf(raw["by"]) ?? "reason";
  const and = dimensionOf(raw["and"]);
  return { by, and: and === by ? undefined : and, order: raw["order"] === "attention" ? "attention" : "visits" };
}

export const exploreParameters = ({ by, and, order }: ExploreQuery): Record<string, string> => ({
  by,
  ...(and ? { and } : {}),
  ...(order === "attention" ? { order } : {}),
});

/** The dimensions on offer: places and accounts only for members who may see them. */
export const offeredDimensions = ({ places, accounts }: { places: boolean; accounts: boolean }): ExploredDimension[] =>
  EXPLORED_DIMENSIONS.filter(
    (dimension) =>
      (places || (dimension !== "country" && dimension !== "network")) && (accounts || dimension !== "account"),
  );
