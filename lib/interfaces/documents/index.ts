export { splitAtFences, type Fence } from "./domain/fences";
export { REQUEST_LANGUAGES, type RequestLanguage, requestSample, type SampleRequest } from "./domain/request-samples";
export {
  fillIn,
  PAGE_SAMPLES,
  PLACEHOLDERS,
  type SampleFile,
  samplePath,
  SAMPLES,
  SERVER_SAMPLES,
} from "./domain/samples";
export { readDocument, readSample, readSamples } from "./read-document";
export { type Code, type Part, readRendered, type Rendered } from "./read-rendered";
export { readDocumentSource, readSampleSource } from "./read-source";
