import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/** The messages of the console, apart from those of the storefront, which visitors load. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ko'],
  fallbackLocales: { default: 'en' },
  // As in lingui.config.ts: values from visitors are never parsed as elements.
  runtimeConfigModule: { Trans: ['~/platform/i18n/store-text', 'Trans'] },
  format: formatter({ lineNumbers: false }),
  catalogs: [{ path: '<rootDir>/admin/locales/{locale}/messages', include: ['admin'] }],
})
