import { serveMetadata, serveMetadataPreflight } from "@/lib/oauth";

export const GET = serveMetadata;
export const OPTIONS = () => Promise.resolve(serveMetadataPreflight());
