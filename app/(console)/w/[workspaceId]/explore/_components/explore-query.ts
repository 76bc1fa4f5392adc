import type { RawQuery } from "@/components/report/report-query";
import { EXPLORED_DIMENSIONS, type ExploredDimension } from "@/lib/visits/slices";

export type ExploreQuery = { by: ExploredDimension; and: ExploredDimension | undefined; order: "visits" | "attention" };

const dimensionOf = (value: string | string[] | undefined): ExploredDimension | undefined =>
  EXPLORED_DIMENSIONS.find((dimension) => dimension === (Array.isArray(value) ? value[0] : value));

/** What Explore is asked for; what is not understood is left out. */
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

/** What may be chosen: places and accounts are for those who may see them. */
export const offeredDimensions = ({ places, accounts }: { places: boolean; accounts: boolean }): ExploredDimension[] =>
  EXPLORED_DIMENSIONS.filter(
    (dimension) =>
      (places || (dimension !== "country" && dimension !== "network")) && (accounts || dimension !== "account"),
  );
