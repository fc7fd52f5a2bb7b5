// Collects the headings of the page into one element, so that an agent finds the page's outline in a single read.
const outline = document.createElement("script");
outline.type = "application/json";
outline.id = "page-outline";
outline.textContent = JSON.stringify(
  Array.from(document.querySelectorAll("h1, h2, h3"), (heading) => heading.textContent.trim()),
);
document.documentElement.append(outline);
