// TEMPORARY: the old place, until every caller imports src/text.
export { durationMs, timerMsMax } from "./text/duration.js";
export { durationText } from "./text/words.js";
