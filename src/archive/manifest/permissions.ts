/**
 * Permissions that Chromium 156 knows, also those of other systems and of apps. Used to recognize a
 * misspelling only: a newer Chromium, and other browsers, know more. Source: asked of Chromium.
 */
export const permissions: ReadonlySet<string> = new Set(
  `
  accessibilityFeatures.modify accessibilityFeatures.read activeTab alarms audio audioCapture
  background bookmarks browser browsingData certificateProvider clipboardRead
  clipboardWrite commands contentSettings contextMenus cookies debugger declarativeContent
  declarativeNetRequest declarativeNetRequestFeedback declarativeNetRequestWithHostAccess
  declarativeWebRequest desktopCapture developerPrivate dns documentScan downloads downloads.open
  downloads.ui enterprise.deviceAttributes enterprise.hardwarePlatform
  enterprise.networkingAttributes enterprise.platformKeys experimental favicon fileBrowserHandler
  fontSettings fullscreen gcm geolocation hid history identity identity.email
  idle input loginState management mdns metricsPrivate nativeMessaging networking.onc
  notifications offscreen omnibox pageCapture platformKeys pointerLock power printerProvider
  printing printingMetrics privacy processes proxy readingList scripting search serial sessions
  sidePanel socket storage system.cpu system.display system.memory system.network system.storage
  systemLog tabCapture tabGroups tabs topSites tts ttsEngine unlimitedStorage usb userScripts
  videoCapture vpnProvider wallpaper webAuthenticationProxy webNavigation webRequest
  webRequestAuthProvider webRequestBlocking webcamPrivate webview windows
`
    .trim()
    .split(/\s+/),
);
