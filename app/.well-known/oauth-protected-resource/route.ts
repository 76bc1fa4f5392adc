import { metadataResponse, resourceMetadata, serveMetadataPreflight } from "@/lib/oauth";

export const GET = () => Promise.resolve(metadataResponse(resourceMetadata()));
export const OPTIONS = () => Promise.resolve(serveMetadataPreflight());
