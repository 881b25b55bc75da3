"""The live browser, driven by Playwright."""
