@echo off
rem Pulumi's engine runs this file: it starts the plugin in the node of PATH.
where node >nul 2>nul
if errorlevel 1 (
  echo The plugin of pulumi-browser-infra needs Node @node@ or newer, and there is no node on PATH. Install Node. Or remove browser-infra from "plugins" in Pulumi.yaml: Pulumi then downloads an executable that needs no Node. 1>&2
  exit /b 1
)
node "%~dp0plugin.cjs" %*
