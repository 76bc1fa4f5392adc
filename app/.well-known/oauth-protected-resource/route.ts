import { serveMetadataPreflight, serveResourceMetadata } from "@/lib/oauth";

export const GET = () => serveResourceMetadata();
export const OPTIONS = () => Promise.resolve(serveMetadataPreflight());
