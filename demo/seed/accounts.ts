/** Accounts of the demo. Programs that only sign in import nothing else of it. */

/** The password of all accounts. */
export const DEMO_PASSWORD = 'marquee-demo'
export const DEMO_EMAIL = 'member@example.com'
export const SECOND_EMAIL = 'second@example.com'
export const DEMO_OPERATOR = 'operator@example.com'
