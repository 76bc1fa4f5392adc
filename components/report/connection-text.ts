import type { CONNECTION_TYPES } from "@/lib/contract/report";

export const CONNECTION_TEXT: Record<(typeof CONNECTION_TYPES)[number], string> = {
  residential: "residential",
  mobile: "mobile",
  corporate: "corporate",
  hosting: "hosting",
  proxy: "proxy",
  unknown: "type unknown",
};
