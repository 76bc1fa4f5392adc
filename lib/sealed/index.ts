export { open, rewrap, seal, type Sealed, sealedUnder } from "./envelope";
export { listStoresUnderOlderKeys, rewrapSealed, type SealedStore } from "./rewrap-sealed";
