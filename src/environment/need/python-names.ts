// Which package of the Python index brings what code imports: a table of facts, for names that differ and for names worth confirming.

// import=package, with other packages that bring the same behind `|`; a name alone is that of its package as well.
const NAMES = `
cv2=opencv-python|opencv-python-headless|opencv-contrib-python|opencv-contrib-python-headless
PIL=pillow|pillow-simd yaml=pyyaml _yaml=pyyaml sklearn=scikit-learn skimage=scikit-image fitz=pymupdf pymupdf pymupdf4llm
docx=python-docx docxtpl pptx=python-pptx bs4=beautifulsoup4 dateutil=python-dateutil dotenv=python-dotenv
Crypto=pycryptodome|pycrypto Cryptodome=pycryptodomex OpenSSL=pyopenssl serial=pyserial usb=pyusb usb1=libusb1 hid=hidapi|hid
win32api=pywin32 win32con=pywin32 win32gui=pywin32 win32com=pywin32 win32file=pywin32 win32process=pywin32 win32clipboard=pywin32
win32event=pywin32 win32service=pywin32 win32serviceutil=pywin32 win32security=pywin32 win32pipe=pywin32 win32print=pywin32
pythoncom=pywin32 pywintypes=pywin32 win32ui=pywin32 attr=attrs attrs jwt=pyjwt jose=python-jose|jose magic=python-magic|filemagic
mpl_toolkits=matplotlib matplotlib pylab=matplotlib openpyxl xlrd xlwt xlsxwriter pyxlsb odf=odfpy ezodf
google.cloud.storage=google-cloud-storage google.cloud.bigquery=google-cloud-bigquery
google.cloud.bigquery_storage=google-cloud-bigquery-storage google.cloud.firestore=google-cloud-firestore
google.cloud.pubsub=google-cloud-pubsub google.cloud.pubsub_v1=google-cloud-pubsub google.cloud.vision=google-cloud-vision
google.cloud.speech=google-cloud-speech google.cloud.speech_v1=google-cloud-speech google.cloud.speech_v2=google-cloud-speech
google.cloud.texttospeech=google-cloud-texttospeech google.cloud.translate=google-cloud-translate
google.cloud.translate_v2=google-cloud-translate google.cloud.translate_v3=google-cloud-translate
google.cloud.language=google-cloud-language google.cloud.language_v1=google-cloud-language
google.cloud.secretmanager=google-cloud-secret-manager google.cloud.logging=google-cloud-logging
google.cloud.monitoring_v3=google-cloud-monitoring google.cloud.datastore=google-cloud-datastore
google.cloud.spanner=google-cloud-spanner google.cloud.bigtable=google-cloud-bigtable google.cloud.tasks_v2=google-cloud-tasks
google.cloud.aiplatform=google-cloud-aiplatform google.cloud.documentai=google-cloud-documentai
google.cloud.dialogflow=google-cloud-dialogflow google.cloud.compute_v1=google-cloud-compute google.cloud.kms=google-cloud-kms
google.cloud.run_v2=google-cloud-run google.cloud.functions_v1=google-cloud-functions google.cloud.dlp_v2=google-cloud-dlp
google.cloud.videointelligence=google-cloud-videointelligence google.cloud.automl=google-cloud-automl
google.cloud.container_v1=google-cloud-container google.cloud.asset_v1=google-cloud-asset
google.cloud.resourcemanager_v3=google-cloud-resource-manager google.cloud.scheduler_v1=google-cloud-scheduler
google.cloud.error_reporting=google-cloud-error-reporting google.cloud.trace_v2=google-cloud-trace
google.cloud.sql.connector=cloud-sql-python-connector google.cloud=google-cloud-core google.genai=google-genai
google.generativeai=google-generativeai google.ai.generativelanguage=google-ai-generativelanguage google.auth=google-auth
google.oauth2=google-auth google_auth_oauthlib=google-auth-oauthlib google_auth_httplib2=google-auth-httplib2
google.api_core=google-api-core google.protobuf=protobuf google.ads=google-ads google.analytics=google-analytics-data
google.analytics.data_v1beta=google-analytics-data google.analytics.admin=google-analytics-admin google.adk=google-adk
google.colab=google-colab google.resumable_media=google-resumable-media google.type=googleapis-common-protos
google.rpc=googleapis-common-protos google.iam.v1=grpc-google-iam-v1 googleapiclient=google-api-python-client
apiclient=google-api-python-client oauth2client vertexai=google-cloud-aiplatform
azure.identity=azure-identity azure.storage.blob=azure-storage-blob azure.storage.queue=azure-storage-queue
azure.storage.filedatalake=azure-storage-file-datalake azure.storage.fileshare=azure-storage-file-share azure.core=azure-core
azure.keyvault.secrets=azure-keyvault-secrets azure.keyvault.keys=azure-keyvault-keys azure.keyvault.certificates=azure-keyvault-certificates
azure.cosmos=azure-cosmos azure.servicebus=azure-servicebus azure.eventhub=azure-eventhub azure.eventgrid=azure-eventgrid
azure.functions=azure-functions azure.ai.inference=azure-ai-inference azure.ai.projects=azure-ai-projects azure.ai.agents=azure-ai-agents
azure.ai.formrecognizer=azure-ai-formrecognizer azure.ai.documentintelligence=azure-ai-documentintelligence
azure.ai.textanalytics=azure-ai-textanalytics azure.ai.vision.imageanalysis=azure-ai-vision-imageanalysis azure.ai.ml=azure-ai-ml
azure.ai.evaluation=azure-ai-evaluation azure.ai.contentsafety=azure-ai-contentsafety azure.ai.translation.text=azure-ai-translation-text
azure.cognitiveservices.speech=azure-cognitiveservices-speech azure.search.documents=azure-search-documents
azure.data.tables=azure-data-tables azure.monitor.query=azure-monitor-query azure.monitor.opentelemetry=azure-monitor-opentelemetry
azure.mgmt.resource=azure-mgmt-resource azure.mgmt.compute=azure-mgmt-compute azure.mgmt.storage=azure-mgmt-storage
azure.mgmt.network=azure-mgmt-network azure.mgmt.costmanagement=azure-mgmt-costmanagement azure.devops=azure-devops
azure.appconfiguration=azure-appconfiguration azure.communication.email=azure-communication-email msal msgraph=msgraph-sdk
kiota_abstractions=microsoft-kiota-abstractions msrest botbuilder.core=botbuilder-core
github=pygithub gitlab=python-gitlab git=gitpython github3=github3-py jira telegram=python-telegram-bot
telebot=pytelegrambotapi slack_sdk=slack-sdk slack=slackclient slack_bolt=slack-bolt discord=discord-py
notion_client=notion-client linkedin_api=linkedin-api facebook_business=facebook-business instagrapi tweepy praw atproto
discord_webhook=discord-webhook nextcord disnake pyrogram telethon aiogram mastodon=mastodon-py vk_api=vk-api wechatpy
MySQLdb=mysqlclient pymysql mysql=mysql-connector-python mysql.connector=mysql-connector-python psycopg2=psycopg2-binary|psycopg2
psycopg psycopg_pool=psycopg-pool pymongo bson=pymongo gridfs=pymongo motor redis ldap=python-ldap ldap3 memcache=python-memcached
pymemcache cassandra=cassandra-driver elasticsearch elastic_transport=elastic-transport opensearchpy=opensearch-py neo4j py2neo
influxdb influxdb_client=influxdb-client clickhouse_driver=clickhouse-driver clickhouse_connect=clickhouse-connect duckdb
snowflake.connector=snowflake-connector-python snowflake.sqlalchemy=snowflake-sqlalchemy snowflake.snowpark=snowflake-snowpark-python
databricks.sdk=databricks-sdk databricks.sql=databricks-sql-connector databricks.connect=databricks-connect pyodbc cx_Oracle=cx-oracle
oracledb pyhive vertica_python=vertica-python teradatasql sqlalchemy flask_sqlalchemy=flask-sqlalchemy sqlmodel alembic peewee pony
aiosqlite asyncpg aiomysql aioredis psycopg2cffi lancedb chromadb pinecone=pinecone|pinecone-client qdrant_client=qdrant-client
weaviate=weaviate-client milvus pymilvus faiss=faiss-cpu|faiss-gpu annoy hnswlib usearch sqlite_utils=sqlite-utils sqlite_vec=sqlite-vec
kafka=kafka-python|kafka-python-ng confluent_kafka=confluent-kafka pika stomp=stomp-py nats=nats-py zmq=pyzmq paho.mqtt=paho-mqtt paho=paho-mqtt
celery kombu rq dramatiq huey apscheduler schedule croniter boto boto3 botocore s3fs gcsfs fsspec minio moto sagemaker aioboto3
requests requests_oauthlib=requests-oauthlib requests_toolbelt=requests-toolbelt requests_html=requests-html requests_cache=requests-cache
urllib3 httpx httpx_sse=httpx-sse h2 httpcore aiohttp aiofiles websocket=websocket-client websockets socketio=python-socketio
engineio=python-engineio socks=pysocks certifi chardet charset_normalizer=charset-normalizer idna curl_cffi=curl-cffi pycurl tls_client=tls-client
cloudscraper fake_useragent=fake-useragent tenacity backoff retrying ratelimit cachetools diskcache
lxml html5lib cssselect soupsieve parsel scrapy selectolax trafilatura readability=readability-lxml newspaper=newspaper3k
html2text markdownify markdown markdown2 markdown_it=markdown-it-py mdit_py_plugins=mdit-py-plugins mistune commonmark frontmatter=python-frontmatter
bleach defusedxml xmltodict untangle feedparser feedgen tldextract w3lib justext goose3 inscriptis
selenium playwright pyppeteer undetected_chromedriver=undetected-chromedriver webdriver_manager=webdriver-manager splinter mechanize
seleniumbase seleniumwire=selenium-wire nodriver crawl4ai browser_use=browser-use firecrawl=firecrawl-py apify apify_client=apify-client
numpy pandas scipy polars pyarrow dask vaex modin.pandas=modin modin numba numexpr bottleneck tables=tables xarray zarr h5py netCDF4=netcdf4
sympy mpmath statsmodels patsy networkx igraph=igraph|python-igraph community=python-louvain pulp cvxpy ortools pyomo gurobipy deap
seaborn plotly bokeh altair vega_datasets=vega-datasets pygal graphviz pydot pygraphviz wordcloud kaleido dash streamlit gradio panel
holoviews hvplot folium geopandas shapely fiona pyproj rasterio cartopy geopy osgeo=gdal gdal=gdal ogr=gdal osr=gdal osmnx h3 rtree
pydeck shapefile=pyshp contextily mapclassify earthengine=earthengine-api ee=earthengine-api geojson geoip2 maxminddb
torch torchvision torchaudio torchtext torchmetrics tensorflow tensorflow_hub=tensorflow-hub tensorflow_datasets=tensorflow-datasets
tensorflow_probability=tensorflow-probability keras jax flax optax lightning pytorch_lightning=pytorch-lightning xgboost lightgbm catboost
transformers datasets tokenizers accelerate peft trl diffusers evaluate safetensors huggingface_hub=huggingface-hub sentence_transformers=sentence-transformers
bitsandbytes deepspeed vllm optimum timm einops onnx onnxruntime=onnxruntime|onnxruntime-gpu coremltools mlx mlx_lm=mlx-lm mlx_whisper=mlx-whisper
sentencepiece tiktoken nltk spacy gensim textblob fasttext stanza flair langdetect langid ftfy rapidfuzz fuzzywuzzy thefuzz Levenshtein=levenshtein|python-levenshtein
jellyfish textstat language_tool_python=language-tool-python pyspellchecker spellchecker=pyspellchecker rouge_score=rouge-score sacrebleu bert_score=bert-score
jieba pypinyin opencc=opencc-python-reimplemented|opencc fugashi MeCab=mecab-python3 janome pykakasi sudachipy konlpy hanziconv zhconv
openai anthropic cohere mistralai groq together replicate litellm ollama voyageai fireworks=fireworks-ai cerebras=cerebras-cloud-sdk dashscope zhipuai
volcenginesdkarkruntime=volcengine-python-sdk xai_sdk=xai-sdk fal_client=fal-client elevenlabs deepgram=deepgram-sdk assemblyai cartesia hume
claude_agent_sdk=claude-agent-sdk claude_code_sdk=claude-code-sdk agents=openai-agents langchain langchain_core=langchain-core
langchain_community=langchain-community langchain_openai=langchain-openai langchain_anthropic=langchain-anthropic
langchain_text_splitters=langchain-text-splitters langchain_google_genai=langchain-google-genai langgraph langsmith langfuse
llama_index=llama-index llama_index.core=llama-index-core llama_cpp=llama-cpp-python autogen=pyautogen crewai dspy=dspy haystack=haystack-ai
semantic_kernel=semantic-kernel instructor guidance outlines pydantic_ai=pydantic-ai smolagents mcp fastmcp mem0=mem0ai tavily=tavily-python
exa_py=exa-py serpapi=google-search-results googlesearch=googlesearch-python duckduckgo_search=duckduckgo-search ddgs wikipedia wikipediaapi=wikipedia-api
arxiv scholarly habanero pyalex semanticscholar Bio=biopython pymed metapub crossref=crossref-commons unpywall pybtex bibtexparser
wandb mlflow neptune comet_ml=comet-ml tensorboard tensorboardX=tensorboardx optuna hyperopt ray shap lime umap=umap-learn hdbscan
imblearn=imbalanced-learn mlxtend prophet pmdarima arch tsfresh sktime darts quantstats pyod yellowbrick category_encoders=category-encoders
gym gymnasium stable_baselines3=stable-baselines3 pettingzoo evidently great_expectations=great-expectations
yfinance pandas_datareader=pandas-datareader pandas_ta=pandas-ta talib=ta-lib ta akshare tushare baostock ccxt backtrader backtesting zipline=zipline-reloaded
vectorbt pyfolio=pyfolio-reloaded alpaca=alpaca-py alpaca_trade_api=alpaca-trade-api binance=python-binance fredapi alpha_vantage=alpha-vantage
polygon=polygon-api-client ib_insync=ib-insync finnhub=finnhub-python sec_api=sec-api sec_edgar_downloader=sec-edgar-downloader edgar=edgartools
FinanceDataReader=finance-datareader quandl web3 eth_account=eth-account eth_utils=eth-utils eth_abi=eth-abi solana solders stripe paypalrestsdk braintree
flask flask_cors=flask-cors flask_login=flask-login flask_restful=flask-restful flask_migrate=flask-migrate flask_wtf=flask-wtf
flask_jwt_extended=flask-jwt-extended flask_socketio=flask-socketio django rest_framework=djangorestframework corsheaders=django-cors-headers
environ=django-environ django_filters=django-filter debug_toolbar=django-debug-toolbar allauth=django-allauth storages=django-storages
crispy_forms=django-crispy-forms django_extensions=django-extensions fastapi starlette uvicorn gunicorn hypercorn werkzeug jinja2 markupsafe=markupsafe
bottle tornado sanic falcon quart aiohttp_cors=aiohttp-cors cherrypy pyramid litestar strawberry=strawberry-graphql ariadne graphene gql
graphql=graphql-core multipart=python-multipart itsdangerous passlib bcrypt argon2=argon2-cffi cryptography nacl=pynacl gnupg=python-gnupg
rsa ecdsa paramiko fabric scp=scp sshtunnel asyncssh netmiko nmap=python-nmap scapy dns=dnspython whois=python-whois ipwhois netaddr
netifaces pyshark dpkt impacket pwn=pwntools pwnlib=pwntools angr capstone unicorn keystone=keystone-engine r2pipe lief pefile yara=yara-python
yara_x=yara-x volatility3 frida z3=z3-solver claripy elftools=pyelftools magika oletools msoffcrypto=msoffcrypto-tool olefile extract_msg=extract-msg
pypdf PyPDF2=pypdf2 PyPDF4=pypdf4 pdfplumber pdfminer=pdfminer-six pikepdf reportlab fpdf=fpdf2|fpdf weasyprint xhtml2pdf pdfkit pdf2image camelot=camelot-py
tabula=tabula-py borb pypdfium2 ocrmypdf img2pdf pytesseract easyocr paddleocr paddle=paddlepaddle|paddlepaddle-gpu rapidocr_onnxruntime=rapidocr-onnxruntime
docling unstructured markitdown mammoth pypandoc docx2pdf docx2txt docxcompose htmldocx ebooklib textract tika
pptx2md md2pdf striprtf rtfparse svglib cairosvg cairo=pycairo cairocffi svgwrite svgpathtools svgutils drawsvg=drawsvg wand imageio imageio_ffmpeg=imageio-ffmpeg
moviepy pydub librosa soundfile sounddevice pyaudio=pyaudio audioread mutagen eyed3 whisper=openai-whisper whisperx faster_whisper=faster-whisper
speech_recognition=speechrecognition gtts pyttsx3 edge_tts=edge-tts TTS=tts kokoro pyannote.audio=pyannote-audio noisereduce webrtcvad resampy pyloudnorm
ffmpeg=ffmpeg-python av yt_dlp=yt-dlp youtube_dl=youtube-dl pytube pytubefix youtube_transcript_api=youtube-transcript-api scenedetect vidgear decord
pyautogui pynput pyperclip keyboard mouse mss pygetwindow screeninfo pywinauto uiautomation comtypes pyscreeze Xlib=python-xlib
rembg insightface face_recognition=face-recognition dlib mediapipe ultralytics supervision albumentations kornia segment_anything=segment-anything
pillow_heif=pillow-heif piexif exifread exif colorthief colour=colour-science|colour webcolors qrcode pyzbar barcode=python-barcode segno imagehash pixelmatch
blurhash trimesh open3d pyvista vtk meshio gmsh cadquery build123d solid=solidpython ezdxf stl=numpy-stl pygltflib manim manimlib=manimgl
pygame arcade pyglet OpenGL=pyopengl moderngl glfw panda3d kivy PyQt5=pyqt5 PyQt6=pyqt6 PySide2=pyside2 PySide6=pyside6 wx=wxpython gi=pygobject
customtkinter nicegui flet textual rich click typer fire docopt prompt_toolkit=prompt-toolkit questionary inquirer InquirerPy=inquirerpy tqdm colorama termcolor
blessed tabulate prettytable pyfiglet alive_progress=alive-progress halo yaspin simple_term_menu=simple-term-menu colorlog loguru structlog coloredlogs
pydantic pydantic_settings=pydantic-settings pydantic_core=pydantic-core marshmallow cerberus voluptuous jsonschema fastjsonschema jsonpath_ng=jsonpath-ng
jmespath jsonpickle orjson ujson simplejson msgpack cbor2 toml tomli tomli_w=tomli-w tomlkit ruamel.yaml=ruamel-yaml ruamel=ruamel-yaml json5 hjson demjson3
jsonlines json_repair=json-repair configobj decouple=python-decouple dynaconf omegaconf hydra=hydra-core environs dacite cattrs
pytz tzlocal arrow pendulum dateparser humanize babel holidays icalendar ics vobject parsedatetime lunarcalendar lunardate
zstandard lz4 brotli snappy=python-snappy py7zr rarfile patoolib=patool blosc xxhash mmh3 deepdiff dictdiffer unidiff
psutil pkg_resources=setuptools setuptools wheel pip packaging semver virtualenv build twine poetry hatchling pexpect ptyprocess sh plumbum invoke
watchdog watchfiles send2trash appdirs platformdirs xdg=xdg|pyxdg filelock portalocker pathspec pathvalidate slugify=python-slugify unidecode text_unidecode=text-unidecode
inflect inflection emoji regex pyparsing lark ply parso jedi libcst astor asttokens redbaron tree_sitter=tree-sitter tree_sitter_languages=tree-sitter-languages
tree_sitter_language_pack=tree-sitter-language-pack pygments black isort flake8 pylint mypy ruff autopep8 yapf bandit semgrep radon vulture pycodestyle
pytest pytest_asyncio=pytest-asyncio hypothesis mock freezegun faker responses respx vcr=vcrpy factory=factory-boy locust coverage nose tox nox behave
docker kubernetes kubernetes_asyncio=kubernetes-asyncio openshift ansible ansible_runner=ansible-runner pulumi pulumi_aws=pulumi-aws hcl2=python-hcl2 consul=python-consul
hvac etcd3 terraform=python-terraform digitalocean=python-digitalocean linode_api4=linode-api4 hcloud cloudflare heroku3 sentry_sdk=sentry-sdk ddtrace datadog
datadog_api_client=datadog-api-client newrelic prometheus_client=prometheus-client opentelemetry=opentelemetry-api opentelemetry.sdk=opentelemetry-sdk
opentelemetry.exporter.otlp=opentelemetry-exporter-otlp statsd graypy pythonjsonlogger=python-json-logger logfire
grpc=grpcio grpc_tools=grpcio-tools grpc_status=grpcio-status thrift avro fastavro protobuf flatbuffers capnp=pycapnp zeep suds=suds-community
twilio sendgrid mailchimp_marketing=mailchimp-marketing mailjet_rest=mailjet-rest resend postmarker imapclient imap_tools=imap-tools exchangelib yagmail O365=o365
gspread gspread_dataframe=gspread-dataframe pygsheets airtable=airtable-python-wrapper pyairtable hubspot=hubspot-api-client simple_salesforce=simple-salesforce
shopify=shopifyapi woocommerce zenpy asana trello=py-trello todoist_api_python=todoist-api-python atlassian=atlassian-python-api
zoomus boxsdk dropbox pydrive=pydrive pydrive2 onedrivesdk webdav3=webdavclient3 googlemaps spotipy plexapi qbittorrentapi=qbittorrent-api
xero_python=xero-python intuitlib=intuit-oauth quickbooks=python-quickbooks plaid=plaid-python square=squareup
rdkit openbabel=openbabel-wheel MDAnalysis=mdanalysis mdtraj pymatgen ase pysam pyvcf vcf=pyvcf scanpy anndata scvi=scvi-tools pydicom nibabel SimpleITK=simpleitk
astropy astroquery sunpy skyfield ephem healpy galpy pint uncertainties lmfit emcee qiskit qiskit_aer=qiskit-aer cirq pennylane qutip
deepchem chembl_webresource_client=chembl-webresource-client pubchempy bioservices gseapy pydeseq2 cellxgene_census=cellxgene-census cobra dendropy ete3
skbio=scikit-bio torch_geometric=torch-geometric esm=esm|fair-esm pyteomics matchms pathml histolab lifelines pymc arviz
RPi=rpi-gpio RPi.GPIO=rpi-gpio smbus2 board=adafruit-blinka busio=adafruit-blinka spidev gpiozero bleak bluetooth=pybluez pyvisa
can=python-can pymodbus snap7=python-snap7 opcua asyncua homeassistant phue soco pychromecast zeroconf upnpclient miniupnpc kasa=python-kasa
jupyter_client=jupyter-client nbformat nbconvert nbclient ipykernel IPython=ipython ipywidgets notebook papermill jupytext itables
six future past=future typing_extensions=typing-extensions mypy_extensions=mypy-extensions importlib_metadata=importlib-metadata
importlib_resources=importlib-resources exceptiongroup more_itertools=more-itertools toolz cytoolz funcy boltons attrdict addict box=python-box sortedcontainers
bitarray bidict pyrsistent frozendict wrapt decorator deprecated cloudpickle dill joblib multiprocess pathos gevent greenlet eventlet trio anyio sniffio
uvloop twisted zope.interface=zope-interface pluggy stevedore cffi cython pycparser pybind11 nuitka lazy_loader=lazy-loader
musicbrainzngs pylast shazamio music21 mido pretty_midi=pretty-midi mingus demucs spleeter basic_pitch=basic-pitch
genanki pysrt webvtt=webvtt-py pysubs2 srt opentimelineio ass
win10toast plyer pystray notify2 dbus=dbus-python pyudev evdev AppKit=pyobjc-framework-cocoa Foundation=pyobjc-framework-cocoa Cocoa=pyobjc-framework-cocoa
Quartz=pyobjc-framework-quartz Vision=pyobjc-framework-vision objc=pyobjc-core ApplicationServices=pyobjc-framework-applicationservices
ScriptingBridge=pyobjc-framework-scriptingbridge EventKit=pyobjc-framework-eventkit CoreLocation=pyobjc-framework-corelocation
rumps osxphotos applescript=py-applescript biplist keyring secretstorage
cognee zep_cloud=zep-cloud letta_client=letta-client agentops e2b e2b_code_interpreter=e2b-code-interpreter modal runpod vastai=vastai
composio comfy_cli=comfy-cli gradio_client=gradio-client supabase postgrest firebase_admin=firebase-admin pyrebase=pyrebase4 pocketbase convex appwrite
dbt=dbt-core airflow=apache-airflow prefect dagster luigi kedro pyspark pyflink=apache-flink apache_beam=apache-beam beam_nuggets=beam-nuggets ibis=ibis-framework
feast hopsworks deltalake=deltalake delta=delta-spark pyiceberg sqlglot sqlparse sqlfluff soda=soda-core petl openlineage=openlineage-python
casbin=casbin authlib oauthlib onelogin=python3-saml saml2=pysaml2 pyotp webauthn fido2 ldapdomaindump jwcrypto josepy acme
typedstream=pytypedstream pyicloud chardetng_py=chardetng-py py_zipkin=py-zipkin
tabpfn autogluon=autogluon h2o pycaret flaml tpot featuretools tsai gluonts neuralforecast statsforecast mlforecast
`;

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map(
  NAMES.split(/\s+/)
    .filter(Boolean)
    .map((entry) => {
      const [name = '', packages] = entry.split('=');
      return [name, (packages ?? name).split('|')];
    }),
);

/** Every import that the table knows, with the packages that bring it, the usual one first. */
export function knownImports(): ReadonlyMap<string, readonly string[]> {
  return KNOWN;
}

const DEEPEST = 6;

/** The longest beginning of the dotted name that the table knows, and who brings it. */
export function packagesOfImport(
  module: string,
): { readonly name: string; readonly packages: readonly string[] } | undefined {
  const parts = module.split('.').slice(0, DEEPEST);
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.');
    const packages = KNOWN.get(name);
    if (packages) return { name, packages };
  }
  return undefined;
}
