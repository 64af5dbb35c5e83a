// A node of n8n that describes its requests; n8n sends them.

const shownFor = (...operations) => ({ show: { operation: operations } })
const scope = '/v1/scopes/{{encodeURIComponent($parameter["user"])}}'
const inBody = (property, value) => ({
  send: { type: 'body', property, ...(value === undefined ? {} : { value }) },
})

const OPERATIONS = [
  {
    name: 'Remember',
    value: 'remember',
    action: 'Remember messages',
    description: 'Store what a person said, and the answer',
    routing: { request: { method: 'POST', url: `=${scope}/turns` } },
  },
  {
    name: 'Recall',
    value: 'recall',
    action: 'Recall what is relevant to a question',
    description: 'Returns memories and context.text, a text for the prompt of a model',
    routing: { request: { method: 'POST', url: `=${scope}/recall` } },
  },
  {
    name: 'Forget',
    value: 'forget',
    action: 'Forget a topic',
    description: 'Hide the memories of a topic; the operations it returns can be undone',
    routing: { request: { method: 'POST', url: `=${scope}/forget` } },
  },
  {
    name: 'List',
    value: 'list',
    action: 'List memories',
    description: 'Returns each memory as an item',
    routing: {
      request: { method: 'GET', url: `=${scope}/memories` },
      output: { postReceive: [{ type: 'rootProperty', properties: { property: 'memories' } }] },
    },
  },
]

class Keepsake {
  description = {
    displayName: 'Keepsake',
    name: 'keepsake',
    icon: 'file:keepsake.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Remember, recall and forget what a person said',
    defaults: { name: 'Keepsake' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'keepsakeApi', required: true }],
    requestDefaults: { baseURL: '={{$credentials.url}}', headers: { Accept: 'application/json' } },
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'recall',
        options: OPERATIONS,
      },
      {
        displayName: 'User',
        name: 'user',
        type: 'string',
        required: true,
        default: '',
        description: 'The id of the person whose memory it is',
      },
      {
        displayName: 'Message',
        name: 'message',
        type: 'string',
        required: true,
        default: '',
        displayOptions: shownFor('remember'),
        description: 'What the person said',
        routing: inBody('turns[0]', '={{ { role: "user", text: $value } }}'),
      },
      {
        displayName: 'Answer',
        name: 'answer',
        type: 'string',
        default: '',
        displayOptions: shownFor('remember'),
        description: 'What the assistant answered; may stay empty',
        routing: inBody(
          '={{ $value ? "turns[1]" : "session" }}',
          '={{ $value ? { role: "assistant", text: $value } : undefined }}',
        ),
      },
      {
        displayName: 'Question',
        name: 'question',
        type: 'string',
        required: true,
        default: '',
        displayOptions: shownFor('recall'),
        routing: inBody('question'),
      },
      {
        displayName: 'Tokens',
        name: 'tokens',
        type: 'number',
        default: 1000,
        displayOptions: shownFor('recall'),
        description: 'How long context.text may be',
        routing: inBody('tokens'),
      },
      {
        displayName: 'Topic',
        name: 'topic',
        type: 'string',
        required: true,
        default: '',
        displayOptions: shownFor('forget'),
        routing: inBody('topic'),
      },
      {
        displayName: 'Only Preview',
        name: 'dryRun',
        type: 'boolean',
        default: false,
        displayOptions: shownFor('forget'),
        description: 'Whether to return what would be forgotten and forget nothing',
        routing: inBody('dryRun'),
      },
      {
        displayName: 'Limit',
        name: 'limit',
        type: 'number',
        default: 50,
        displayOptions: shownFor('list'),
        description: 'Max number of results to return',
        routing: { send: { type: 'query', property: 'limit' } },
      },
    ],
  }
}

module.exports = { Keepsake }
