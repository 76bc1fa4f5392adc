export { open, rewrap, seal, type Sealed, sealedUnder } from "./envelope";
export { isKeyInUse, rewrapSealed, type SealedStore } from "./rewrap-sealed";
