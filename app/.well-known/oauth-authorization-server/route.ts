import { serveMetadata, serveMetadataPreflight } from "@/lib/interfaces/oauth";

export const GET = serveMetadata;
export const OPTIONS = () => Promise.resolve(serveMetadataPreflight());
