import { defineConfig } from '@lingui/cli'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ko', 'ja', 'ar'],
  fallbackLocales: { default: 'en' },
  // Values that visitors write are never read as elements.
  runtimeConfigModule: { Trans: ['~/platform/i18n/trans', 'Trans'] },
  catalogs: [{ path: '<rootDir>/app/locales/{locale}/messages', include: ['app'] }],
})
