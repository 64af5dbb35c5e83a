/** Where the server is, and a key of it. */
class KeepsakeApi {
  name = 'keepsakeApi'
  displayName = 'Keepsake API'
  properties = [
    {
      displayName: 'Base URL',
      name: 'url',
      type: 'string',
      default: 'http://localhost:4150',
      required: true,
    },
    { displayName: 'Key', name: 'key', type: 'string', typeOptions: { password: true }, default: '' },
  ]
  authenticate = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.key}}' } },
  }
  test = { request: { baseURL: '={{$credentials.url}}', url: '/v1/access' } }
}

module.exports = { KeepsakeApi }
