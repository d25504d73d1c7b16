import type { StaticUser } from './static-directory.ts';

/**
 * The built-in users for trying Carnet. Their passwords are public: they are never used in place of a configured
 * directory.
 */
export const demoUsers: readonly StaticUser[] = [
  {
    subject: 'b7c1f3a2-5d0e-4c86-9a57-2f1e6d8b9c01',
    email: 'demo@example.com',
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$yVkGWZwnbHvY6KUd0IVPdw$gTElssTy9iKUYDR0EGsxdflcPl4ynBMgssHycFjN8BU',
    claims: {
      email: 'demo@example.com',
      email_verified: true,
      name: 'Dana Moreno',
      given_name: 'Dana',
      middle_name: 'Inés',
      family_name: 'Moreno',
      nickname: 'Dani',
      preferred_username: 'dana',
      profile: 'https://example.com/dana',
      picture: 'https://example.com/dana.png',
      website: 'https://dana.example.com',
      gender: 'female',
      birthdate: '1990-04-12',
      zoneinfo: 'Europe/Madrid',
      locale: 'en',
      phone_number: '+34 600 000 000',
      phone_number_verified: false,
      address: {
        formatted: 'Calle Mayor 1\n28013 Madrid\nSpain',
        street_address: 'Calle Mayor 1',
        locality: 'Madrid',
        region: 'Madrid',
        postal_code: '28013',
        country: 'Spain',
      },
      updated_at: 1_767_225_600,
    },
  },
  {
    subject: '0e6a4d18-93b5-4f2a-8c7d-71d5a0b3e902',
    email: 'grace@example.com',
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$30GtUM2WkGo0pAaT8dJmvQ$uw2jqZLj4p4Cowx5ZnH4U3AcxBUYK1CoTOMWxF0Ywi0',
    claims: {
      email: 'grace@example.com',
      email_verified: false,
      name: 'Grace Okafor',
      given_name: 'Grace',
      family_name: 'Okafor',
      preferred_username: 'grace',
      locale: 'en',
    },
  },
];
