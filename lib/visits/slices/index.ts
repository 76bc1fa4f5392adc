export { countAllSlices, countSlices, recountSlices } from "./count-slices";
