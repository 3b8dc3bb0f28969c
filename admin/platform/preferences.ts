const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

type Preference = 'theme' | 'language' | 'account-language' | 'hidden-jobs' | 'frame'

const keyOf = (name: Preference) => `console-${name}`

/** A browser may refuse its storage; the preference then lasts as long as the page. */
export const readPreference = (name: Preference): string | null => {
  try {
    return localStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

export const writePreference = (name: Preference, value: string): void => {
  try {
    localStorage.setItem(keyOf(name), value)
  } catch {
    // See above.
  }
}

export const preferredTheme = (): Theme => themes.find((theme) => theme === readPreference('theme')) ?? 'system'

export const showTheme = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme
}

export const chooseTheme = (theme: Theme): void => {
  writePreference('theme', theme)
  showTheme(theme)
}
