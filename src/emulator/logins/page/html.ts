/** The login page. Its script fills it in. */
export const loginPageHtml = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Sign in</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/login/assets/login.css">
    <script src="/login/assets/login.js" defer></script>
  </head>
  <body>
    <main>
      <h1 id="title" tabindex="-1">Sign in</h1>
      <p id="problem" role="alert" hidden></p>
      <p id="status" role="status">One moment…</p>
      <div id="step"></div>
      <p id="until" class="quiet" hidden></p>
    </main>
    <footer class="quiet">Emulator of the service. What you type here is not kept.</footer>
    <noscript><p>This page needs JavaScript, because it follows the login while it runs.</p></noscript>
  </body>
</html>
`;
