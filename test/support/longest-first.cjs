const Sequencer = require("@jest/test-sequencer").default;

/** Folders whose small files run long: each file plays a kind of resource through a whole table. */
const long = /[\\/]test[\\/](contract|model|engine|slow)[\\/]/;

/**
 * Starts what runs long first, so that no core idles at the end. A fresh clone knows no durations,
 * and Jest would start with the largest files.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => long.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
