export { open, rewrap, seal, type Sealed, sealedUnder } from "./envelope";
export { isKeyInUse, type OnRewrapped, rewrapSealed, type SealedStore } from "./rewrap-sealed";
