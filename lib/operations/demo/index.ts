export { makeDemoData } from "./make-demo-data";
